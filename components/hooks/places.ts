import { isTemporary } from '#lib/threads/temporary.ts';

/**
 * The scroll position at which a thread was left: its end, or the message at the top of the viewport. `above`: how much of
 * that message was above the viewport; `height`: its height then; both in CSS pixels.
 */
export type Place = 'end' | { messageId: string; above: number; height: number };

/** A measured row in the form that the list takes as its initial measurements. Lengths are in CSS pixels. */
interface MeasuredRow {
  key: string | number | bigint;
  index: number;
  start: number;
  end: number;
  size: number;
  lane: number;
}

/** The state of a thread's list of messages that is kept while another thread is shown. */
export interface KeptList {
  place: Place;
  /** The rows whose height is known. */
  rows: MeasuredRow[];
}

const KEY = 'roundtrip-studio:places';

/** The number of threads that are remembered: more than anyone switches between. */
const THREADS_MAX = 100;

/** The place where each thread was left. Places outlive the page in this tab's session storage; row heights do not. */
export class Places {
  readonly #kept = new Map<string, KeptList>();
  readonly #places = readPlaces();

  /** Returns the place and the rows of a thread; the end and no rows if nothing is kept. */
  get(threadId: string): KeptList {
    return this.#kept.get(threadId) ?? { place: this.#places.get(threadId) ?? 'end', rows: [] };
  }

  keep(threadId: string, list: KeptList): void {
    for (const map of [this.#kept, this.#places]) {
      map.delete(threadId);
      const oldest = map.size < THREADS_MAX ? undefined : map.keys().next().value;
      if (oldest !== undefined) map.delete(oldest);
    }
    this.#kept.set(threadId, list);
    this.#places.set(threadId, list.place);
  }

  /** Stores the places in the session storage, except those of temporary threads. */
  store(): void {
    try {
      sessionStorage.setItem(
        KEY,
        JSON.stringify([...this.#places].filter(([id, place]) => place !== 'end' && !isTemporary(id))),
      );
    } catch {
      // The session storage is full or blocked: after a reload, threads open at their end.
    }
  }
}

function readPlaces(): Map<string, Place> {
  const places = new Map<string, Place>();
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    for (const [threadId, place] of stored as Iterable<
      [unknown, { messageId?: unknown; above?: unknown; height?: unknown }]
    >) {
      const { messageId, above, height } = place;
      if (
        typeof threadId === 'string' &&
        typeof messageId === 'string' &&
        typeof above === 'number' &&
        typeof height === 'number'
      )
        places.set(threadId, { messageId, above, height });
    }
  } catch {
    // The stored data is not from the studio.
  }
  return places;
}

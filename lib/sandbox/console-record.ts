import type { ConsoleLine, RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import { CONSOLE_ENTRIES_MAX } from './limits.ts';

/** Something that code in the sandbox tried to access and could not. */
export interface RefusedAccess {
  /** The number of the evaluation (run of code) that was running, from 1; 0 between evaluations. */
  run: number;
  /** The directive of the content security policy, such as `connect-src`, or a word of the studio, such as `popup`. */
  directive: string;
  /** The address that the code tried to access, as far as it is known. */
  target: string;
  /**
   * The line that was refused, from 1, in the code of its evaluation, which may be an earlier one than `run`; undefined if it
   * is not known.
   */
  line?: number | undefined;
}

/** An event in a session, as shown to users. */
type ConsoleEvent =
  /** A new window, or process, has started. `name`: the path of the page that it shows; absent for code. */
  | { type: 'began'; name?: string }
  | { type: 'code'; by: 'model' | 'person'; code: string }
  | { type: 'printed'; line: ConsoleLine }
  | { type: 'value'; value: RenderedValue }
  | { type: 'failure'; text: string }
  | { type: 'refused'; refusal: RefusedAccess };

/** An event in a `ConsoleRecord`. */
export type ConsoleEntry = ConsoleEvent & {
  /** Unique within the session; increases with each entry. */
  id: number;
  /** Milliseconds since the epoch. */
  time: number;
};

/** The delay before views show collected entries, in milliseconds: code can print a thousand lines at once. */
const SHOW_DELAY_MS = 32;

/**
 * Records the events of a sandbox session for users: code, output, values, failures, and refusals. Keeps the newest
 * `CONSOLE_ENTRIES_MAX`, including those in earlier windows of the session.
 */
export class ConsoleRecord {
  #entries: readonly ConsoleEntry[] = [];
  /** Events that are not among the entries yet. */
  #added: ConsoleEntry[] = [];
  #lastId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Returns the entries, oldest first. The array is a new one after each addition. */
  readonly getEntries = (): readonly ConsoleEntry[] => {
    if (this.#added.length > 0) this.#entries = [...this.#entries, ...this.#added].slice(-CONSOLE_ENTRIES_MAX);
    this.#added = [];
    return this.#entries;
  };

  /**
   * Calls the listener after events are added, at most once per `SHOW_DELAY_MS`, and immediately when the record is cleared.
   * Returns a function that removes the listener.
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds an event that has just happened. */
  add(event: ConsoleEvent): void {
    this.#added.push({ ...event, id: ++this.#lastId, time: Date.now() });
    this.#timer ??= setTimeout(() => this.#tell(), SHOW_DELAY_MS);
  }

  /** Removes all entries, and tells listeners immediately. */
  clear(): void {
    this.#entries = [];
    this.#added = [];
    this.#tell();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Enforces the limit, even if there are no views.
    this.getEntries();
    for (const listener of this.#listeners) listener();
  }
}

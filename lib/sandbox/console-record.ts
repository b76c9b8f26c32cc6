import type { ConsoleLine, RenderedValue } from '#lib/tools/rendered-value.ts';
import { CONSOLE_ENTRIES_MAX } from './limits.ts';

/** Something the code tried to reach, and could not. */
export interface Refusal {
  /** The evaluation that was under way, from 1; 0 between two. */
  run: number;
  /** Of the content security policy, such as `connect-src`. */
  directive: string;
  /** An address, as far as the browser tells it. */
  target: string;
  /** In that evaluation's code. */
  line?: number | undefined;
}

/** What happened in a session, for people. */
export type ConsoleEvent =
  | { type: 'began' }
  | { type: 'code'; by: 'model' | 'person'; code: string }
  | { type: 'printed'; line: ConsoleLine }
  | { type: 'value'; value: RenderedValue }
  | { type: 'failure'; text: string }
  | { type: 'refused'; refusal: Refusal };

export type ConsoleEntry = ConsoleEvent & {
  /** Grows from entry to entry. */
  id: number;
  /** Milliseconds since the epoch. */
  time: number;
};

/** The newest of what happened in a session, its windows before this one too. */
export class ConsoleRecord {
  #entries: readonly ConsoleEntry[] = [];
  #lastId = 0;
  readonly #listeners = new Set<() => void>();

  /** Oldest first; another array whenever something is added. */
  readonly getEntries = (): readonly ConsoleEntry[] => this.#entries;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(event: ConsoleEvent): void {
    const entry = { ...event, id: ++this.#lastId, time: Date.now() };
    this.#show([...this.#entries, entry].slice(-CONSOLE_ENTRIES_MAX));
  }

  clear(): void {
    this.#show([]);
  }

  #show(entries: readonly ConsoleEntry[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}

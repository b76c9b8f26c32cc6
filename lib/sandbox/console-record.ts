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
  /** `name`: of the page that was loaded. */
  | { type: 'began'; name?: string }
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

/** How long views wait for more before they look: code can print a thousand lines at once. */
const SHOW_DELAY_MS = 32;

/** The newest of what happened in a session, its windows before this one too. */
export class ConsoleRecord {
  #entries: readonly ConsoleEntry[] = [];
  /** Is not among the entries yet. */
  #added: ConsoleEntry[] = [];
  #lastId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Oldest first; another array whenever something was added. */
  readonly getEntries = (): readonly ConsoleEntry[] => {
    if (this.#added.length > 0) this.#entries = [...this.#entries, ...this.#added].slice(-CONSOLE_ENTRIES_MAX);
    this.#added = [];
    return this.#entries;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(event: ConsoleEvent): void {
    this.#added.push({ ...event, id: ++this.#lastId, time: Date.now() });
    this.#timer ??= setTimeout(() => this.#tell(), SHOW_DELAY_MS);
  }

  clear(): void {
    this.#entries = [];
    this.#added = [];
    this.#tell();
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Whether somebody looks or not, no more is kept than may be.
    this.getEntries();
    for (const listener of this.#listeners) listener();
  }
}

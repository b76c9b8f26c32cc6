import type { ConsoleLine, RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import type { RequestQuestion } from '#studio/web/person-web.ts';
import type { PersonsOutcome } from './evaluate.ts';

/**
 * The maximum number of printed lines that the output of a `CodeRun` shows: the newest ones. The console has the earlier
 * ones.
 */
export const RUN_LINES_MAX = 200;

/** The delay before views show what was printed, in milliseconds: code can print a thousand lines at once. */
const SHOW_DELAY_MS = 32;

/** A request that waits for the person's answer. */
interface AskedRequest {
  question: RequestQuestion;
  /** Whether code of the model may be the sender. */
  hasModelCode: boolean;
  answer(isYes: boolean): void;
}

/** The state of code of an answer that the person runs. */
export interface CodeRunState {
  status: 'running' | 'done' | 'failed' | 'stopped';
  /** The newest printed lines, each with its number. */
  lines: readonly { number: number; line: ConsoleLine }[];
  /** The number of earlier lines, which are not shown. */
  left: number;
  /** The value of the code; undefined before it is done, or if it has none. */
  value: RenderedValue | undefined;
  /** The reason why the code failed. */
  failure: string | undefined;
  /** A request of the code that the person is asked about. */
  asked: AskedRequest | undefined;
}

/** The signal and the functions that a `CodeRun` passes to the function that runs its code. */
export interface CodeRunContext {
  abortSignal: AbortSignal;
  onPrint(line: ConsoleLine): void;
  /**
   * Asks the person whether to allow a request, one at a time, and resolves with the answer. Stopping the code answers No.
   * `hasModelCode`: whether code of the model may be the sender.
   */
  ask(question: RequestQuestion, hasModelCode: boolean): Promise<boolean>;
}

/** A run of code of an answer. It goes on while no view shows it, and ends at once when it is stopped. */
export class CodeRun {
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<() => void>();
  #state: CodeRunState = {
    status: 'running',
    lines: [],
    left: 0,
    value: undefined,
    failure: undefined,
    asked: undefined,
  };
  #printed: ConsoleLine[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts the run. `work` runs the code; if it rejects, the code has failed. */
  constructor(work: (context: CodeRunContext) => Promise<PersonsOutcome>) {
    const context: CodeRunContext = {
      abortSignal: this.#stopping.signal,
      onPrint: (line) => this.#print(line),
      ask: (...request) => this.#ask(...request),
    };
    work(context).then(
      (outcome) => this.#end(outcome),
      (error: unknown) => this.#end({ type: 'failure', text: error instanceof Error ? error.message : String(error) }),
    );
  }

  readonly getState = (): CodeRunState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  stop(): void {
    if (this.#state.status !== 'running') return;
    this.#state.asked?.answer(false);
    this.#stopping.abort();
    // The code may still be waiting for other code, and is then never started.
    this.#set({ status: 'stopped' });
  }

  #end(outcome: PersonsOutcome): void {
    if (this.#state.status !== 'running') return;
    if (outcome.type === 'value') this.#set({ status: 'done', value: outcome.value });
    else this.#set({ status: 'failed', failure: outcome.text });
  }

  #print(line: ConsoleLine): void {
    this.#printed.push(line);
    this.#timer ??= setTimeout(() => this.#set({}), SHOW_DELAY_MS);
  }

  #ask(question: RequestQuestion, hasModelCode: boolean): Promise<boolean> {
    if (this.#state.status !== 'running') return Promise.resolve(false);
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        this.#set({ asked: undefined });
        resolve(isYes);
      };
      this.#set({ asked: { question, hasModelCode, answer } });
    });
  }

  #set(change: Partial<CodeRunState>): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { lines, left } = this.#state;
    const first = left + lines.length;
    const all = [...lines, ...this.#printed.map((line, index) => ({ number: first + index, line }))];
    this.#printed = [];
    const cut = Math.max(0, all.length - RUN_LINES_MAX);
    this.#state = { ...this.#state, ...change, lines: all.slice(cut), left: left + cut };
    for (const listener of this.#listeners) listener();
  }
}

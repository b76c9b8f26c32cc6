import { type Token, unpackLines } from './code-tokens.ts';
import { forget, HighlightTimeout, highlight } from './highlight-client.ts';
import type { Language } from './languages.ts';
import { CODE_LIMITS } from './limits.ts';

let newest = 0;

/** The tokens of the first lines of some code, as far as it is highlighted. */
export interface HighlightedLines {
  /** The code of the complete lines among `lines`. */
  done: string;
  lines: readonly Token[][];
}

export const NO_LINES: HighlightedLines = { done: '', lines: [] };

/** Highlights one piece of code as it grows: sends new lines to the worker, and reports all tokens known so far. */
export class CodeHighlighting {
  readonly #id = ++newest;
  readonly #language: Language;
  readonly #report: (lines: HighlightedLines) => void;
  #code = '';
  #isWhole = false;
  #known = NO_LINES;
  #isRunning = false;
  #failures = 0;
  readonly #ended = new AbortController();
  #isCurrent = true;

  constructor(language: Language, report: (lines: HighlightedLines) => void) {
    this.#language = language;
    this.#report = report;
  }

  /** Sets the code as it is now. `isWhole`: whether its last line is complete, and highlighted as well. */
  update(code: string, isWhole: boolean): void {
    this.#code = code;
    this.#isWhole = isWhole;
    this.#isCurrent = false;
    if (!this.#isRunning) void this.#run();
  }

  /** Stops highlighting. Nothing is reported from then on. */
  end(): void {
    this.#ended.abort();
    forget(this.#id);
  }

  get #isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (!this.#isCurrent && !this.#isEnded) await this.#step().catch((error: unknown) => this.#retryAfter(error));
    } catch {
      // There is still no worker or no grammar, or it took too long: the code stays plain.
      this.#ended.abort();
    } finally {
      this.#isRunning = false;
      // The last request may have been on its way when this ended.
      if (this.#isEnded) forget(this.#id);
    }
  }

  /**
   * Waits before the code is tried again: the server may be back by then, or the device online. Rejects with the error if trying
   * again is no use, or was tried often enough.
   */
  async #retryAfter(error: unknown): Promise<void> {
    if (this.#isEnded || error instanceof HighlightTimeout || ++this.#failures > CODE_LIMITS.retries) throw error;
    // The next worker does not have the code so far.
    this.#known = NO_LINES;
    this.#isCurrent = false;
    await new Promise((resolve) => setTimeout(resolve, CODE_LIMITS.retryAfterMs));
  }

  /** Highlights the next piece of the code. Rejects if the worker fails. */
  async #step(): Promise<void> {
    if (!this.#code.startsWith(this.#known.done)) this.#known = NO_LINES;
    const { done, lines } = this.#known;
    const end = pieceEnd(this.#code, done.length);
    const isLast = end === this.#code.length;
    const code = this.#code.slice(0, end);
    this.#isCurrent = isLast;
    const request = {
      id: this.#id,
      language: this.#language,
      from: done.length,
      added: code.slice(done.length),
      isWhole: isLast && this.#isWhole,
    };
    const answer = await highlight(request, this.#ended.signal);
    if (answer === 'lost') {
      this.#known = NO_LINES;
      this.#isCurrent = false;
      return;
    }
    const added = unpackLines(answer);
    const complete = code.slice(0, code.lastIndexOf('\n') + 1);
    const newLines = complete.slice(done.length).split('\n').length - 1;
    this.#known = { done: complete, lines: [...lines, ...added.slice(0, newLines)] };
    if (!this.#isEnded) this.#report({ done: complete, lines: [...lines, ...added] });
  }
}

/** The offset at which the next piece ends: after a line, or at the end of the code. */
function pieceEnd(code: string, from: number): number {
  if (code.length - from <= CODE_LIMITS.pieceMax) return code.length;
  const lineEnd = code.lastIndexOf('\n', from + CODE_LIMITS.pieceMax);
  const next = lineEnd < from ? code.indexOf('\n', from) : lineEnd;
  return next < 0 ? code.length : next + 1;
}

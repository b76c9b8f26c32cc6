import { createInterface, type Interface, type ReadLineOptions } from 'node:readline';
import { delay } from '#lib/base/delay.ts';

/** The time to wait for further lines from a terminal that does not say what is pasted, in milliseconds. */
const PASTE_MS = 30;

/** The sequence that makes a terminal begin to mark pasted text. */
const MARK_PASTES = '\u001b[?2004h';
/** The sequence that makes a terminal stop marking pasted text. */
const MARK_NO_PASTES = '\u001b[?2004l';

/** Lines that were entered at once. */
interface SaidLines {
  lines: readonly string[];
  /**
   * Whether the terminal marked the lines as pasted. Backslashes and `"""` in them are then text, and do not continue the
   * input.
   */
  isPasted: boolean;
}

/**
 * Drops what was typed so far, so that it does not answer the next question. `input` must be a terminal: for a pipe, this rejects.
 * Nothing else may read from it until this resolves.
 */
export async function dropTyped(input: NodeJS.ReadStream): Promise<void> {
  // Also what is not a whole line yet.
  input.setRawMode(true);
  const drop = () => undefined;
  input.on('data', drop);
  await delay(PASTE_MS);
  input.off('data', drop);
  input.pause();
  input.setRawMode(false);
}

/**
 * Reads lines from a terminal or a pipe. `read` also returns lines that came before it was called, as when several are
 * pasted. `question` drops such lines, so that none of them is taken for its answer.
 */
export class Lines {
  readonly #reader: Interface;
  /** The output to the terminal; undefined for a pipe. */
  readonly #terminal: NodeJS.WritableStream | undefined;
  #queue: SaidLines[] = [];
  /** The complete lines of pasted text. The line after them can still be edited. */
  #pasted: string[] = [];
  #isPasting = false;
  #isNoting = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  /**
   * `onInterrupt`: called for Ctrl-C. `hasText`: whether something was typed. If it returns `clear`, the text that was typed is
   * dropped.
   */
  constructor(options: ReadLineOptions, onInterrupt: (hasText: boolean) => 'clear' | undefined) {
    const { input, output, terminal = (output as NodeJS.WriteStream | undefined)?.isTTY === true } = options;
    this.#reader = createInterface(options);
    this.#terminal = terminal ? output : undefined;
    this.#reader.on('line', (line) => {
      if (this.#isPasting) {
        this.#pasted.push(line);
        return;
      }
      const pasted = this.#pasted.splice(0);
      this.#queue.push({ lines: [...pasted, line], isPasted: pasted.length > 0 });
      this.#wake();
    });
    this.#reader.on('close', () => {
      this.#isClosed = true;
      this.#terminal?.write(MARK_NO_PASTES);
      this.#wake();
    });
    input.on('keypress', (_: unknown, key: { name?: string } | undefined) => {
      if (key?.name === 'paste-start') this.#isPasting = true;
      if (key?.name === 'paste-end') this.#isPasting = false;
      this.#noteRows();
    });
    this.#reader.on('SIGINT', () => {
      const hasText = this.#reader.line !== '' || this.#pasted.length > 0;
      if (onInterrupt(hasText) !== 'clear') return;
      this.#pasted = [];
      this.#isPasting = false;
      this.#reader.write(null, { ctrl: true, name: 'e' });
      this.#reader.write(null, { ctrl: true, name: 'u' });
    });
  }

  /** Whether the terminal is in the middle of sending pasted text. */
  get isPasting(): boolean {
    return this.#isPasting;
  }

  /**
   * Asks for a line, and resolves with it, or with all lines if several are pasted; undefined if the input has ended. Lines
   * that came before the question are dropped. Rejects with the signal's reason if it fires.
   */
  async question(prompt: string, { signal }: { signal: AbortSignal }): Promise<string | undefined> {
    this.#queue = [];
    return (await this.#next(prompt, signal))?.lines.join('\n');
  }

  /** The next line, or all that were pasted at once; undefined when the input has ended. */
  async read(prompt: string): Promise<SaidLines | undefined> {
    const first = await this.#next(prompt, undefined);
    if (first === undefined || first.isPasted || this.#terminal === undefined) return first;
    const lines = [...first.lines];
    for (;;) {
      await delay(PASTE_MS);
      if (this.#queue.length === 0) return { lines, isPasted: false };
      lines.push(...this.#queue.splice(0).flatMap((said) => said.lines));
    }
  }

  close(): void {
    this.#reader.close();
  }

  /**
   * Tells Node's line editor how many rows its text takes. The editor does not count the rows of text that arrives at once, and
   * would draw a wrapped line again below itself at the next change.
   */
  #noteRows(): void {
    if (this.#isNoting) return;
    this.#isNoting = true;
    setImmediate(() => {
      this.#isNoting = false;
      if (!this.#isClosed) Object.assign(this.#reader, { prevRows: this.#reader.getCursorPos().rows });
    });
  }

  async #next(prompt: string, signal: AbortSignal | undefined): Promise<SaidLines | undefined> {
    if (this.#queue.length === 0 && !this.#isClosed) {
      this.#terminal?.write(MARK_PASTES);
      this.#reader.setPrompt(prompt);
      this.#reader.prompt();
    }
    while (this.#queue.length === 0 && !this.#isClosed) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    this.#terminal?.write(MARK_NO_PASTES);
    return this.#queue.shift();
  }
}

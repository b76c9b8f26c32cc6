import { createInterface, type Interface, type ReadLineOptions } from 'node:readline';

/** How long to wait for further lines of what was pasted, in milliseconds. */
const PASTE_MS = 30;

/**
 * Lines of a terminal, one after the other. None is lost that comes before it is asked for, as when several are pasted;
 * but a question is never answered by a line that came before it.
 */
export class Lines {
  readonly #reader: Interface;
  readonly #isTerminal: boolean;
  #queue: string[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(options: ReadLineOptions, onInterrupt: () => void) {
    this.#reader = createInterface(options);
    this.#isTerminal = options.terminal ?? (options.output as NodeJS.WriteStream | undefined)?.isTTY === true;
    this.#reader.on('line', (line) => {
      this.#queue.push(line);
      this.#wake();
    });
    this.#reader.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    this.#reader.on('SIGINT', () => {
      // As in a shell: what was typed is given up first.
      if (this.#reader.line === '') onInterrupt();
      else {
        this.#reader.write(null, { ctrl: true, name: 'e' });
        this.#reader.write(null, { ctrl: true, name: 'u' });
      }
    });
  }

  /** Asks for a line; undefined if the input has ended. Rejects with the signal's reason if it fires. */
  question(prompt: string, { signal }: { signal: AbortSignal }): Promise<string | undefined> {
    this.#queue = [];
    return this.#next(prompt, signal);
  }

  /** The next line, or all that were pasted at once; undefined when the input has ended. */
  async read(prompt: string): Promise<readonly string[] | undefined> {
    const first = await this.#next(prompt, undefined);
    if (first === undefined) return undefined;
    if (!this.#isTerminal) return [first];
    const lines = [first];
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PASTE_MS));
      if (this.#queue.length === 0) return lines;
      lines.push(...this.#queue.splice(0));
    }
  }

  close(): void {
    this.#reader.close();
  }

  async #next(prompt: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (this.#queue.length === 0 && !this.#isClosed) {
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
    return this.#queue.shift();
  }
}

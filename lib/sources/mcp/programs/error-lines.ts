import { StringDecoder } from 'node:string_decoder';
import { PROGRAM_LIMITS } from './limits.ts';

/**
 * Cuts what a program writes to its standard error into lines, and passes each to `onLine`, except blank ones. Of a long line,
 * only the beginning is kept.
 */
export class ErrorLines {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #line = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(data: Buffer): void {
    const [first = '', ...others] = this.#decoder.write(data).split('\n');
    this.#add(first);
    for (const text of others) {
      this.end();
      this.#add(text);
    }
  }

  /** Passes on the line that has not ended. */
  end(): void {
    const line = this.#line.trimEnd();
    this.#line = '';
    if (line !== '') this.#onLine(line);
  }

  #add(text: string): void {
    this.#line += text.slice(0, PROGRAM_LIMITS.errorLine - this.#line.length);
  }
}

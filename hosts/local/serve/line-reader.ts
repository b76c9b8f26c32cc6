/**
 * Cuts a stream of bytes into lines of UTF-8, and skips blank ones. A line of more than `maxBytes` is not kept; only its length
 * is reported.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (bytes: number) => void;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number, onLine: (line: string) => void, onTooLong: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(data: Buffer): void {
    let from = 0;
    for (let end = data.indexOf(10, from); end !== -1; end = data.indexOf(10, from)) {
      this.#add(data.subarray(from, end));
      this.#end();
      from = end + 1;
    }
    this.#add(data.subarray(from));
  }

  /** Ends the stream. A last line without a line break counts, too. */
  end(): void {
    if (this.#length > 0) this.#end();
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#maxBytes) this.#chunks = [];
    else if (part.length > 0) this.#chunks.push(part);
  }

  #end(): void {
    const length = this.#length;
    const line = length > this.#maxBytes ? undefined : Buffer.concat(this.#chunks).toString();
    this.#chunks = [];
    this.#length = 0;
    if (line === undefined) this.#onTooLong(length);
    else if (line.trim() !== '') this.#onLine(line);
  }
}

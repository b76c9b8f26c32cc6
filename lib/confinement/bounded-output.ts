import { OUTPUT_MAX_BYTES } from './limits.ts';

/** Keeps the beginning and the end of a stream, at most half of `maxBytes` each. */
export class BoundedOutput {
  readonly #half: number;
  #head: Buffer[] = [];
  #headLength = 0;
  #tail: Buffer[] = [];
  #tailLength = 0;
  #left = 0;

  constructor(maxBytes = OUTPUT_MAX_BYTES) {
    this.#half = Math.floor(maxBytes / 2);
  }

  push(data: Buffer): void {
    const room = this.#half - this.#headLength;
    if (room > 0) {
      this.#head.push(data.subarray(0, room));
      this.#headLength += Math.min(room, data.length);
    }
    const rest = room > 0 ? data.subarray(room) : data;
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tailLength > this.#half) {
      const [first] = this.#tail;
      if (first === undefined) break;
      const excess = Math.min(this.#tailLength - this.#half, first.length);
      this.#left += excess;
      this.#tailLength -= excess;
      if (excess === first.length) this.#tail.shift();
      else this.#tail[0] = first.subarray(excess);
    }
  }

  /** Returns what was kept as UTF-8 text, with a note in the middle of how many bytes were left out, if any. */
  toString(): string {
    const head = Buffer.concat(this.#head).toString();
    const tail = Buffer.concat(this.#tail).toString();
    return this.#left === 0
      ? Buffer.concat([...this.#head, ...this.#tail]).toString()
      : `${head}\n[${this.#left} bytes omitted]\n${tail}`;
  }
}

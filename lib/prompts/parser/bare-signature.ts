import type { ToolNames } from '../tool-names.ts';

/** How many chunks are kept, a power of two, and how many characters of them are searched. */
const CHUNKS = 512;
const SEARCHED = 2_000;

/** A line that consists of nothing but a call, in the shape of the studio's signatures or as code. */
const SIGNATURE = /(?:^|\n)[ \t]*([\w.]+)\((?:[ \t]*[{"'][^\n]*)?\)[ \t]*;?\s*$/;

/**
 * A call that the reply ends in, written as code outside of a fence. It is text, because any line of a program looks
 * like it, but reported. Owns the reply's latest chunks.
 */
export class BareSignature {
  /** The latest chunks; the oldest one is at `#count % CHUNKS`. */
  readonly #chunks: string[] = new Array(CHUNKS).fill('');
  #count = 0;

  push(chunk: string): void {
    this.#chunks[this.#count++ & (CHUNKS - 1)] = chunk;
  }

  /** The name of the tool; undefined if the reply does not end in such a call. */
  toolName(tools: ToolNames): string | undefined {
    const oldest = this.#count & (CHUNKS - 1);
    const latest = [...this.#chunks.slice(oldest), ...this.#chunks.slice(0, oldest)].join('');
    const name = SIGNATURE.exec(latest.slice(-SEARCHED))?.[1];
    return name === undefined ? undefined : tools.find(name)?.name;
  }
}

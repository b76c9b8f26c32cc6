import type { ToolNames } from '../tool-names.ts';

/** How many chunks are kept, and how many characters of them are searched. */
const CHUNKS = 256;
const SEARCHED = 2_000;

/** A line that consists of nothing but a call, in the shape of the studio's signatures or as code. */
const SIGNATURE = /(?:^|\n)[ \t]*([\w.]+)\((?:[ \t]*[{"'][^\n]*)?\)[ \t]*;?\s*$/;

/**
 * A call that the reply ends in, written as code outside of a fence. It is text, because any line of a program looks
 * like it, but reported. Owns the reply's latest chunks.
 */
export class BareSignature {
  #chunks: string[] = [];

  push(chunk: string): void {
    if (this.#chunks.length >= 2 * CHUNKS) this.#chunks = this.#chunks.slice(-CHUNKS);
    this.#chunks.push(chunk);
  }

  /** The name of the tool; undefined if the reply does not end in such a call. */
  toolName(tools: ToolNames): string | undefined {
    const name = SIGNATURE.exec(this.#chunks.join('').slice(-SEARCHED))?.[1];
    return name === undefined ? undefined : tools.find(name)?.name;
  }
}

/** Converts offsets in a text to lines and columns, both counted from 1. */
export class Lines {
  readonly #starts = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): { line: number; column: number } {
    const next = this.#starts.findIndex((start) => start > offset);
    const line = next === -1 ? this.#starts.length : next;
    return { line, column: offset - (this.#starts[line - 1] ?? 0) + 1 };
  }
}

import { CODE_LIMITS } from './limits.ts';

const TAB_COLUMNS = 8;

/** Matches characters that take about two columns in a fixed-width font: those of East Asian scripts, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** The lines of code that grows. Each line is read once. */
export class CodeLines {
  #code = '';
  /** The offset at which each line begins. */
  #starts = [0];
  #columns = 0;

  /** Sets the code. Reads only what was added, or all of it if it does not continue the last code. */
  update(code: string): void {
    if (!code.startsWith(this.#code)) {
      this.#starts = [0];
      this.#columns = 0;
    }
    this.#code = code;
    // A line is measured when its end is known.
    for (;;) {
      const end = code.indexOf('\n', this.#starts.at(-1));
      if (end < 0) break;
      this.#columns = Math.max(this.#columns, columnsOf(this.at(this.#starts.length - 1)));
      this.#starts.push(end + 1);
    }
  }

  get code(): string {
    return this.#code;
  }

  /** The number of lines, at most `CODE_LIMITS.linesMax`. */
  get count(): number {
    return Math.min(this.#starts.length, CODE_LIMITS.linesMax);
  }

  /** The line and the column of an offset in the code, both from 0. */
  positionOf(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }

  /** The offset of a column in a line, both from 0; that of the line's end if the line is shorter. */
  offsetOf(line: number, column: number): number {
    return Math.min((this.#starts[line] ?? this.#code.length) + column, this.#ends(line));
  }

  /** The width of the longest line as it is shown, in columns. */
  get columns(): number {
    return Math.max(this.#columns, columnsOf(this.at(this.#starts.length - 1)));
  }

  /** A line as it is shown: without its line end, and cut if it is very long. */
  at(index: number): string {
    const start = this.#starts[index] ?? this.#code.length;
    const end = this.#ends(index);
    const isCut = end - start > CODE_LIMITS.lineMax;
    return isCut ? `${this.#code.slice(start, start + CODE_LIMITS.lineMax)}…` : this.#code.slice(start, end);
  }

  #ends(index: number): number {
    const next = this.#starts[index + 1] ?? this.#code.indexOf('\n', this.#starts[index]) + 1;
    return next > 0 ? next - 1 : this.#code.length;
  }
}

function columnsOf(line: string): number {
  const wide = line.match(WIDE)?.length ?? 0;
  const tabs = line.match(/\t/g)?.length ?? 0;
  return line.length + wide + tabs * (TAB_COLUMNS - 1);
}

import { startOf } from '#lib/base/cut-text.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

/** Empty cells between two others that are written as such; after more, a new line with its own address begins. */
const GAP_MAX = 3;

/** The rows of a sheet that are read, from 1; both are included. */
export interface RowRange {
  first: number;
  last: number;
}

/**
 * Collects the text of a sheet row by row, such as `A5: Lamp | 40 | EUR` for the cells A5 to C5. Leaves out empty rows, rows
 * outside of `rows`, and everything from the first row on that does not fit into `room` characters.
 */
export class SheetText {
  readonly #rows: RowRange | undefined;
  readonly #lines: string[] = [];
  #room: number;
  #cutAt: number | undefined;
  #hasMoreColumns = false;
  #hasLongCells = false;
  #isPast = false;

  constructor(room: number, rows?: RowRange) {
    this.#room = room;
    this.#rows = rows;
  }

  /** Whether the rest of the sheet is not needed, because the text is full or the last row is reached. */
  get isDone(): boolean {
    return this.#cutAt !== undefined || this.#isPast;
  }

  /** The first row that did not fit; undefined if all did. */
  get cutAt(): number | undefined {
    return this.#cutAt;
  }

  /** Whether cells were left out because they are beyond `DOCUMENT_LIMITS.columns`. */
  get hasMoreColumns(): boolean {
    return this.#hasMoreColumns;
  }

  /** Whether the text of a cell was cut. */
  get hasLongCells(): boolean {
    return this.#hasLongCells;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  /** Whether a row is one of those to read. */
  wants(row: number): boolean {
    return this.#rows === undefined || (row >= this.#rows.first && row <= this.#rows.last);
  }

  /** Adds a row by its number, from 1. `cells`: the texts of its cells by their columns, from 0. */
  add(row: number, cells: ReadonlyMap<number, string>): void {
    if (this.#rows !== undefined && row > this.#rows.last) this.#isPast = true;
    if (!this.wants(row) || this.#cutAt !== undefined) return;
    const columns = [...cells].filter(([, text]) => text !== '').sort(([one], [other]) => one - other);
    const shown = columns.filter(([column]) => column < DOCUMENT_LIMITS.columns);
    if (shown.length < columns.length) this.#hasMoreColumns = true;
    const lines: string[] = [];
    let line = '';
    let next: number | undefined;
    for (const [column, text] of shown) {
      if (next === undefined || column - next > GAP_MAX) {
        if (line !== '') lines.push(line);
        line = `${columnName(column)}${row}: ${this.#cellText(text)}`;
      } else line += `${' |'.repeat(column - next)} | ${this.#cellText(text)}`;
      next = column + 1;
    }
    if (line !== '') lines.push(line);
    const length = lines.reduce((sum, one) => sum + one.length + 1, 0);
    if (length > this.#room) this.#cutAt = row;
    else {
      this.#room -= length;
      this.#lines.push(...lines);
    }
  }

  #cellText(whole: string): string {
    const shown = startOf(whole, DOCUMENT_LIMITS.cell);
    const rest = whole.length - shown.length;
    if (rest > 0) this.#hasLongCells = true;
    const text = shown
      .trim()
      .replace(/\s*\r?\n\s*/g, ' ⏎ ')
      .replaceAll('|', '\\|');
    return rest === 0 ? text : `${text}… [${counted(rest, 'more character')}]`;
  }
}

/** Returns the letters of a column by its index: `A` for 0, `Z` for 25, `AA` for 26. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** Returns the column, from 0, and the row, from 1, of a cell's address such as `B5`; undefined for any other text. */
export function cellPosition(address: string): { column: number; row: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(address) ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { column: column - 1, row: Number(digits) };
}

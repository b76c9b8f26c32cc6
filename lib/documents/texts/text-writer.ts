import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';

/**
 * Collects the text of a document, as Markdown, while the document is read: paragraph by paragraph, and tables row by row.
 */
export class TextWriter {
  readonly #blocks: string[] = [];
  /** The rows of the table that is written, with those around it. */
  readonly #tables: { rows: string[][]; cell: string[] }[] = [];
  readonly #limit: number;
  #line = '';
  #length = 0;

  /** `limit`: the number of characters beyond which `isFull` is true. */
  constructor(limit: number = DOCUMENT_LIMITS.text) {
    this.#limit = limit;
  }

  /** The length of the text so far, in characters. */
  get length(): number {
    return this.#length;
  }

  /** Whether the text has become longer than the limit, so that the rest is not needed. */
  get isFull(): boolean {
    return this.#length > this.#limit;
  }

  get text(): string {
    return (
      this.#blocks
        .join('\n\n')
        // The items of a list stand together.
        .replace(/(\n *(?:-|\d+\.) [^\n]*)\n(?=\n *(?:-|\d+\.) )/g, '$1')
        .trim()
    );
  }

  /** Adds text to the current paragraph. */
  add(text: string): void {
    this.#line += text;
    this.#length += text.length;
  }

  /**
   * Ends the current paragraph; one inside a table's cell is added to the cell, without `prefix`. `prefix`: the Markdown to put
   * in front of it, such as `## ` or `- `.
   */
  end(prefix = ''): void {
    const line = this.#line.trim();
    this.#line = '';
    if (line === '') return;
    const table = this.#tables.at(-1);
    if (table === undefined) this.#blocks.push(`${prefix}${line}`);
    else table.cell.push(line);
  }

  openTable(): void {
    this.end();
    this.#tables.push({ rows: [], cell: [] });
  }

  openRow(): void {
    this.#tables.at(-1)?.rows.push([]);
  }

  closeCell(): void {
    this.end();
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    table.rows.at(-1)?.push(
      table.cell
        .join(' ')
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|'),
    );
    table.cell = [];
  }

  /** Ends the table, and adds it to the text; a table inside a cell becomes text of that cell. */
  closeTable(): void {
    this.end();
    const table = this.#tables.pop();
    if (table === undefined || table.rows.length === 0) return;
    const outer = this.#tables.at(-1);
    // A table in a cell is text of that cell.
    if (outer !== undefined) outer.cell.push(table.rows.map((cells) => cells.join(' ')).join(' '));
    else this.#blocks.push(markdownTable(table.rows));
  }
}

/**
 * Writes rows as a Markdown table, the first of which is its head. The caller must have escaped `|` and line breaks in cells.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 1);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), `|${' --- |'.repeat(columns)}`, ...others.map(line)].join('\n');
}

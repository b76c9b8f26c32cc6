import { Marked, type Tokens } from 'marked';
import { markdownDialect } from '#lib/base/markdown/dialect.ts';
import { markdownText } from './markdown-text.ts';

const PARSER = new Marked(...markdownDialect());

/** The cells of a table, row by row, as they read when they are shown. The first row is the head. */
export type TableData = readonly (readonly string[])[];

/** Reads a table from its Markdown source; undefined if the source is none. */
export function tableData(source: string): TableData | undefined {
  const table = PARSER.lexer(source).find((token): token is Tokens.Table => token.type === 'table');
  return table && [table.header, ...table.rows].map((row) => row.map(({ text }) => markdownText(text).trim()));
}

/** Writes cells as CSV (RFC 4180). */
export const csvOf = (table: TableData): string =>
  table
    .map((row) => row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\r\n');

/** Writes cells with tabs between them, as spreadsheets take them from the clipboard. */
export const tsvOf = (table: TableData): string =>
  table.map((row) => row.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');

import { Marked, type Tokens } from 'marked';
import { markdownDialect } from '#lib/base/markdown/dialect.ts';
import { inlineText } from './markdown-text.ts';

const PARSER = new Marked(...markdownDialect());

/**
 * The cells of a table, row by row, as they read when they are shown, to copy and sort the table. The first row is the head.
 */
export type TableData = readonly (readonly string[])[];

/** Reads the first table in Markdown; undefined if there is none. */
export function tableData(source: string): TableData | undefined {
  const table = PARSER.lexer(source).find((token): token is Tokens.Table => token.type === 'table');
  return table && [table.header, ...table.rows].map((row) => row.map(({ tokens }) => inlineText(tokens).trim()));
}

/** Matches cells that spreadsheets would calculate. The model may have copied them from anywhere. */
const CALCULATED = /^(?:[=@]|[-+](?![\d.,\s]|$))/;

const inert = (cell: string): string => (CALCULATED.test(cell) ? `'${cell}` : cell);

/**
 * Writes cells as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in front, so that it
 * stays text.
 */
export const csvOf = (table: TableData): string =>
  table.map((row) => row.map((cell) => quoted(inert(cell))).join(',')).join('\r\n');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Writes cells with tabs between them, as spreadsheets take them from the clipboard. Tabs and line breaks in cells become
 * spaces. A cell that a spreadsheet would take for a formula gets an apostrophe in front, so that it stays text.
 */
export const tsvOf = (table: TableData): string =>
  table.map((row) => row.map((cell) => inert(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n');

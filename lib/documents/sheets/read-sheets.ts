import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { readParts } from '../read-parts.ts';
import { type RowRange, SheetText } from './sheet-text.ts';

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Adds the rows to `text` until its `isDone` is true. Returns lines to show after them, such as the merged cells. */
  read(text: SheetText): readonly string[];
}

const ROWS = /^(.*)!\s*(?:\$?[A-Z]{0,3}\$?(\d{1,7}))\s*(?:[-–:]\s*(?:\$?[A-Z]{0,3}\$?(\d{1,7}))?)?$/i;

/**
 * Reads the sheets of a workbook that `pages` names: numbers such as `3-7, 9`, a sheet's name, or rows of one sheet, such as
 * `Prices!500-900`; all if undefined. Rejects with `UnreadableDocument` if there are no such sheets.
 */
export async function readSheets(sheets: readonly Sheet[], pages: string | undefined): Promise<DocumentText> {
  const names = sheets.map(({ name }) => name);
  const { sheet: asked, rows } = names.includes(pages ?? '') ? { sheet: pages } : rowsIn(pages);
  const more: string[] = [];
  let room: number = DOCUMENT_LIMITS.text;
  const read = await readParts({ unit: 'sheet', count: sheets.length, names }, asked, (number) => {
    const { name = '', isHidden = false, read: readRows } = sheets[number - 1] ?? {};
    const label = `Sheet ${number}: ${name}${isHidden ? ' (hidden)' : ''}`;
    const text = new SheetText(room, rows);
    const facts = readRows?.(text) ?? [];
    room -= text.text.length;
    if (text.cutAt !== undefined)
      more.push(
        `${label} was cut after row ${text.cutAt - 1}; read on with pages ${JSON.stringify(`${name}!${text.cutAt}-`)}.`,
      );
    if (text.hasMoreColumns)
      more.push(`${label} has more than ${DOCUMENT_LIMITS.columns} columns; the others were left out.`);
    if (text.hasLongCells)
      more.push(
        `${label} has cells of more than ${DOCUMENT_LIMITS.cell} characters; the rest of their text was left out.`,
      );
    const empty = text.cutAt === undefined ? `(no cells${rows === undefined ? '' : ' in these rows'})` : '(not read)';
    const body = text.text === '' ? empty : text.text;
    return { label, text: [body, ...facts].join('\n'), isCut: text.cutAt !== undefined };
  });
  return { ...read, notes: [...read.notes, ...more] };
}

/** Splits `Prices!500-900` into the sheet and its rows. */
function rowsIn(pages: string | undefined): { sheet: string | undefined; rows?: RowRange } {
  const [whole, sheet = '', first, last] = ROWS.exec(pages ?? '') ?? [];
  if (whole === undefined) return { sheet: pages };
  const isOpen = /[-–:]\s*$/.test(whole);
  const end = last === undefined ? (isOpen ? Number.POSITIVE_INFINITY : Number(first)) : Number(last);
  return { sheet: sheet.replace(/^'(.*)'$/, '$1'), rows: { first: Number(first), last: end } };
}

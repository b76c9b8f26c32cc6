import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { readXml } from '../xml/read-xml.ts';
import { relationsOf } from '../xml/relations.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { isoDate, type NumberKind, numberKind, plainNumber } from './number-format.ts';
import { readSheets, type Sheet } from './read-sheets.ts';
import { cellPosition, type SheetText } from './sheet-text.ts';

/** The most merged ranges of a sheet that are named. */
const MERGED_NAMED = 50;

/** The texts and styles that all sheets of a workbook share. */
interface Workbook {
  texts: readonly string[];
  /** The kinds of numbers that the styles of cells show. */
  kinds: readonly NumberKind[];
  is1904: boolean;
}

/**
 * Reads an Excel workbook: values, and dates as ISO 8601; formulas are not computed again. Its macros and its connections do
 * nothing. `pages`: the sheets or rows to read (see `readSheets`). Rejects with `UnreadableDocument` if there are no such
 * sheets, or the file cannot be read.
 */
export async function readXlsx(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const main = [...relationsOf(packed, '').values()].find(({ type }) => type === 'officeDocument')?.path;
  const path = main !== undefined && packed.has(main) ? main : 'xl/workbook.xml';
  const relations = relationsOf(packed, path);
  const found: { name: string; isHidden: boolean; path: string }[] = [];
  let is1904 = false;
  readXml(packed, path, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const { path: file = '', type } = relations.get(id) ?? {};
      if (type === 'worksheet' && packed.has(file))
        found.push({ name: attributes.name ?? '', isHidden: attributes.state?.includes('idden') === true, path: file });
    },
  });
  if (found.length === 0) throw new UnreadableDocument('damaged', 'The workbook has no sheets with cells.');
  const partOf = (kind: string) =>
    [...relations.values()].find(({ type, path: file }) => type === kind && packed.has(file))?.path;
  const workbook = {
    texts: textsOf(packed, partOf('sharedStrings')),
    kinds: stylesOf(packed, partOf('styles')),
    is1904,
  };
  const sheets = found.map(
    ({ path: file, ...sheet }): Sheet => ({ ...sheet, read: (text) => readSheet(packed, file, { workbook, text }) }),
  );
  return readSheets(sheets, pages);
}

/** The texts that cells refer to by their number. */
function textsOf(packed: PackedDocument, path: string | undefined): string[] {
  const texts: string[] = [];
  if (path === undefined) return texts;
  let text = '';
  let isText = false;
  let phonetic = 0;
  readXml(packed, path, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic++;
      isText = name === 't' && phonetic === 0;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === 'si') texts.push(text);
      if (name === 'rPh') phonetic--;
      isText = false;
    },
  });
  return texts;
}

function stylesOf(packed: PackedDocument, path: string | undefined): NumberKind[] {
  const styles: NumberKind[] = [];
  if (path === undefined) return styles;
  const codes = new Map<number, string>();
  let isCell = false;
  readXml(packed, path, {
    open(name, { numFmtId: id, formatCode: code }) {
      if (name === 'numFmt' && code !== undefined) codes.set(Number(id), code);
      if (name === 'cellXfs') isCell = true;
      if (name === 'xf' && isCell) styles.push(numberKind(Number(id ?? 0), codes.get(Number(id))));
    },
    close(name) {
      if (name === 'cellXfs') isCell = false;
    },
  });
  return styles;
}

function readSheet(
  packed: PackedDocument,
  path: string,
  { workbook, text }: { workbook: Workbook; text: SheetText },
): readonly string[] {
  const merged: string[] = [];
  let row = 0;
  let column = 0;
  let cells = new Map<number, string>();
  let cell: { type: string; style: number; value: string; formula: string } | undefined;
  let inside = '';
  let phonetic = 0;
  readXml(packed, path, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes.r ?? row + 1);
        column = 0;
        cells = new Map();
      } else if (name === 'c') {
        const place = cellPosition(attributes.r ?? '');
        if (place !== undefined) ({ column } = place);
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '', formula: '' };
      } else if (name === 'mergeCell' && attributes.ref !== undefined) merged.push(attributes.ref);
      // The pronunciation of a text is not part of it.
      if (name === 'rPh') phonetic++;
      inside = phonetic > 0 ? '' : name;
    },
    text(piece) {
      if (cell === undefined) return;
      if (inside === 'v' || inside === 't') cell.value += piece;
      else if (inside === 'f') cell.formula += piece;
    },
    close(name) {
      inside = '';
      if (name === 'rPh') phonetic--;
      if (name === 'c') {
        // One more than are read tells that there are more.
        if (cell !== undefined && text.wants(row) && column <= DOCUMENT_LIMITS.columns)
          cells.set(column, shownValue(cell, workbook));
        cell = undefined;
        column++;
      } else if (name === 'row') text.add(row, cells);
    },
    isDone: () => text.isDone,
  });
  return merged.length === 0
    ? []
    : [`(Merged: ${merged.slice(0, MERGED_NAMED).join(', ')}${merged.length > MERGED_NAMED ? ', …' : ''})`];
}

function shownValue(
  { type, style, value, formula }: { type: string; style: number; value: string; formula: string },
  { texts, kinds, is1904 }: Workbook,
): string {
  if (value === '') return formula === '' ? '' : `=${formula} (not computed)`;
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || !Number.isFinite(Number(value))) return value;
  const kind = kinds[style] ?? 'number';
  return kind === 'number' ? plainNumber(value) : isoDate(value, kind, is1904);
}

import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { UnreadableDocument } from '#lib/tools/documents/unreadable-document.ts';
import { type Attributes, readXml } from '../xml/read-xml.ts';
import type { PackedDocument } from '../zip/packed-document.ts';
import { plainNumber } from './number-format.ts';
import { readSheets, type Sheet } from './read-sheets.ts';
import type { SheetText } from './sheet-text.ts';

const CONTENT = 'content.xml';

/**
 * Reads an OpenDocument spreadsheet: values, and dates as ISO 8601. `pages`: the sheets or rows to read (see `readSheets`).
 * Rejects with `UnreadableDocument` if there are no such sheets, or the file cannot be read.
 */
export async function readOds(packed: PackedDocument, pages: string | undefined): Promise<DocumentText> {
  const sheets: Sheet[] = [];
  /** The styles of sheets that are hidden. */
  const hidden = new Set<string>();
  let style = '';
  readXml(packed, CONTENT, {
    open(name, attributes) {
      if (name === 'style') style = attributes['style:name'] ?? '';
      if (name === 'table-properties' && attributes['table:display'] === 'false') hidden.add(style);
      if (name !== 'table') return;
      const index = sheets.length;
      sheets.push({
        name: attributes['table:name'] ?? '',
        isHidden: hidden.has(attributes['table:style-name'] ?? ''),
        read: (text) => readSheet(packed, index, text),
      });
    },
  });
  if (sheets.length === 0) throw new UnreadableDocument('damaged', 'The spreadsheet has no sheets.');
  return readSheets(sheets, pages);
}

/** Reads the sheet with an index. Nested tables count, as they do in the list of sheets. */
function readSheet(packed: PackedDocument, index: number, text: SheetText): readonly string[] {
  let table = -1;
  let row = 0;
  let column = 0;
  let rowTimes = 1;
  let cells = new Map<number, string>();
  let cell: { attributes: Attributes; lines: string[] } | undefined;
  let notes = 0;
  readXml(packed, CONTENT, {
    open(name, attributes) {
      if (name === 'table') table++;
      if (table !== index) return;
      if (name === 'table-row') {
        rowTimes = timesOf(attributes['table:number-rows-repeated']);
        cells = new Map();
        column = 0;
      } else if (name === 'table-cell' || name === 'covered-table-cell') cell = { attributes, lines: [] };
      else if (name === 'annotation') notes++;
      else if (name === 'p' && notes === 0) cell?.lines.push('');
      else if (notes === 0) append(cell?.lines, spaceOf(name, attributes));
    },
    text(piece) {
      if (table === index && notes === 0) append(cell?.lines, piece);
    },
    close(name) {
      if (table !== index) return;
      if (name === 'annotation') notes--;
      if ((name === 'table-cell' || name === 'covered-table-cell') && cell !== undefined) {
        const times = timesOf(cell.attributes['table:number-columns-repeated']);
        const value = cellValue(cell.attributes, cell.lines.join('\n'));
        if (value !== '')
          for (let next = 0; next < times && column + next <= DOCUMENT_LIMITS.columns; next++)
            cells.set(column + next, value);
        column += times;
        cell = undefined;
      } else if (name === 'table-row') {
        const last = cells.size === 0 ? row : Math.min(row + rowTimes, DOCUMENT_LIMITS.rows);
        for (let next = row + 1; next <= last && !text.isDone; next++) text.add(next, cells);
        row += rowTimes;
      }
    },
    isDone: () => text.isDone || table > index,
  });
  return [];
}

const timesOf = (repeated: string | undefined): number => Math.max(1, Math.trunc(Number(repeated ?? 1)) || 1);

/** The white space that an element of a paragraph stands for; empty for other elements. */
function spaceOf(name: string, attributes: Attributes): string {
  if (name === 's') return ' '.repeat(Math.min(timesOf(attributes['text:c']), DOCUMENT_LIMITS.repeated));
  return name === 'tab' ? '\t' : name === 'line-break' ? '\n' : '';
}

function append(lines: string[] | undefined, piece: string): void {
  if (lines !== undefined && lines.length > 0) lines[lines.length - 1] += piece;
}

/** The value of a cell: numbers without their format, dates and times as ISO 8601. */
function cellValue(attributes: Attributes, text: string): string {
  switch (attributes['office:value-type']) {
    case 'float':
      // A number may be shown as a truth value.
      if (text === 'TRUE' || text === 'FALSE') return text;
      return plainNumber(attributes['office:value'] ?? text);
    case 'percentage':
    case 'currency':
      return plainNumber(attributes['office:value'] ?? text);
    case 'date':
      return (attributes['office:date-value'] ?? text).replace(/T00:00:00(?:\.0+)?$/, '');
    case 'time': {
      const [, hours, minutes, seconds] = /^PT(\d+)H(\d+)M([\d.]+)S$/.exec(attributes['office:time-value'] ?? '') ?? [];
      return hours === undefined
        ? text
        : `${hours}:${minutes}:${Math.trunc(Number(seconds)).toString().padStart(2, '0')}`;
    }
    case 'boolean':
      return attributes['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
    default:
      return text;
  }
}

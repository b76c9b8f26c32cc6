import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentFormat } from '#lib/tools/documents/document-type.ts';
import { notebookText } from '#lib/tools/files/notebook-text.ts';
import { cellsIn } from './test/cells.ts';
import { readDocument } from './test/read-document.ts';
import { wordAccuracy } from './test/word-accuracy.ts';

const FIXTURES = join(import.meta.dirname, 'test/fixtures');
const FILES = readdirSync(join(FIXTURES, 'documents'));

async function read(name: string) {
  const data = new Uint8Array(readFileSync(join(FIXTURES, 'documents', name)));
  const notebook = name.endsWith('.ipynb') ? notebookText(new TextDecoder().decode(data)) : undefined;
  if (notebook !== undefined) return notebook;
  const format = documentFormat(data, name);
  if (format === undefined) throw new Error(`${name} is no document.`);
  return readDocument({ data, format });
}

const referenceOf = (name: string): string => readFileSync(join(FIXTURES, 'reference', `${name}.txt`), 'utf8');

const TEXTS = FILES.filter((name) => !/\.(?:xlsx|ods)$/.test(name));
const SHEETS = FILES.filter((name) => /\.(?:xlsx|ods)$/.test(name));

describe('the text of a document has the words of the reference reader, in their order', () => {
  test.each(TEXTS)('%s', async (name) => {
    const { parts } = await read(name);
    const text = parts.map((part) => part.text.replace(/^(?:Notes: |\[Output\]\n)/m, '')).join('\n');
    const accuracy = wordAccuracy(text, referenceOf(name));
    if (process.env.SHOW_ACCURACY) process.stdout.write(`${name}\t${accuracy.toFixed(4)}\n`);
    expect(accuracy).toBeGreaterThanOrEqual(0.98);
  });
});

describe('a table has the cells of the reference reader', () => {
  test.each(SHEETS)('%s', async (name) => {
    const { parts } = await read(name);
    const reference = JSON.parse(referenceOf(name)) as Record<string, string[][]>;
    expect(parts.map(({ label }) => label.replace(/^Sheet \d+: /, ''))).toHaveLength(Object.keys(reference).length);
    for (const part of parts) {
      const rows = reference[part.label.replace(/^Sheet \d+: /, '')] ?? [];
      const expected = new Map(
        rows.flatMap((cells, row) =>
          cells.flatMap((cell, column) => (cell === '' ? [] : [[`${column},${row + 1}`, normal(cell)] as const])),
        ),
      );
      const found = new Map([...cellsIn(part.text)].map(([place, cell]) => [place, normal(cell)]));
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    }
  });
});

/** Dates as the reference reader writes them, and numbers of 15 digits, in one form. */
function normal(cell: string): string {
  const [, month, day, year, time] = /^(\d\d)\/(\d\d)\/(\d\d(?:\d\d)?)(?: (\d\d:\d\d(?::\d\d)?))?/.exec(cell) ?? [];
  if (year !== undefined) {
    const full = year.length === 2 ? `${Number(year) < 30 ? 20 : 19}${year}` : year;
    return `${full}-${month}-${day}${time === undefined ? '' : `T${time}`}`;
  }
  const [, share] = /^(-?[\d.]+)%$/.exec(cell) ?? [];
  if (share !== undefined) return String(Number((Number(share) / 100).toPrecision(12)));
  if (/^\d{4}-\d\d-\d\d \d\d:/.test(cell)) return cell.replace(' ', 'T');
  return /^-?\d+\.\d+$/.test(cell) ? String(Number(Number(cell).toPrecision(12))) : cell;
}

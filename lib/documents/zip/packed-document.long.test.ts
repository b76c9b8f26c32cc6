import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { PackedDocument } from './packed-document.ts';

const SIZE = 40_000_000;

/** Unpacks an entry as a whole, and returns its size. */
function sizeOf(packed: PackedDocument, name: string): number {
  let size = 0;
  packed.unpack(name, (piece) => {
    size += piece.byteLength;
    return true;
  });
  return size;
}

test('a part that is read again, such as that of all sheets of a workbook, counts once', async () => {
  const packed = await PackedDocument.open(zipSync({ 'content.xml': new Uint8Array(SIZE) }, { level: 1 }));
  const times = Math.ceil(DOCUMENT_LIMITS.unpackedBytes / SIZE) + 1;
  for (let time = 0; time < times; time++) expect(sizeOf(packed, 'content.xml')).toBe(SIZE);
});

test('different parts count together', async () => {
  const files = Array.from({ length: 8 }, (_, n) => [`${n}.xml`, new Uint8Array(SIZE)]);
  const packed = await PackedDocument.open(zipSync(Object.fromEntries(files), { level: 1 }));
  expect(() => {
    for (const name of packed.names) sizeOf(packed, name);
  }).toThrow('300 MB');
});

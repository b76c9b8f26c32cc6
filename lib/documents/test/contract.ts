import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import type { Documents, DocumentText } from '#lib/tools/capabilities/documents.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import type { DocumentFormat } from '#lib/tools/documents/document-type.ts';
import { EAST_ASIAN_LINES, eastAsianPdf, imageOf, pageWith, streamOf } from './pdf-source.ts';

/** The documents of the contract, a format each, and a text that each has. */
const DOCUMENTS: readonly (readonly [name: string, format: DocumentFormat, text: string | RegExp])[] = [
  ['columns-2.pdf', 'pdf', '## Page 1\n\nA title that goes across all of the columns'],
  ['table.docx', 'docx', '| Lamp | 40 EUR | 12 |'],
  ['prices.xlsx', 'xlsx', 'A2: Item 1 | 1.25 | 2024-01-10 | FALSE | 0.025'],
  ['notes-slides.pptx', 'pptx', 'Notes: Say something about slide 1.'],
  ['languages.odt', 'odt', 'Größenübersicht'],
  ['prices.ods', 'ods', 'A2: Item 1 | 1.25 | 2024-01-10 | FALSE | 0.025'],
  ['languages-slides.odp', 'odp', '## Slide 1\n'],
  ['languages.rtf', 'rtf', 'Résumé de l’année'],
  ['guide.epub', 'epub', '## Chapter 1\n'],
];

/** Tests that every reader of documents must pass. `load` returns the bytes of a file of the fixtures. */
export function testDocuments(documents: Documents, load: (name: string) => Promise<Uint8Array>): void {
  const { signal: abortSignal } = new AbortController();

  describe('a reader of documents', () => {
    test.each(DOCUMENTS)('reads %s', async (name, format, text) => {
      const read: DocumentText = await documents.open({ data: await load(name), format }, { abortSignal });
      expect(textOfDocument(read.parts)).toContain(text);
      expect(read.parts).toHaveLength(read.count);
    });

    test('reads the pages that it is asked for, and says if there are none', async () => {
      const data = await load('prices.xlsx');
      const { parts, count } = await documents.open({ data, format: 'xlsx', pages: '2' }, { abortSignal });
      expect([parts.map(({ label }) => label), count]).toEqual([['Sheet 2: Notes & more'], 2]);
      await expect(documents.open({ data, format: 'xlsx', pages: '3' }, { abortSignal })).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining('There is no sheet "3"'),
      });
    });

    test('reads a PDF in Chinese, Japanese, or Korean whose fonts are not in the file', async () => {
      const { parts } = await documents.open({ data: eastAsianPdf(), format: 'pdf' }, { abortSignal });
      expect(textOfDocument(parts)).toBe(`## Page 1\n\n${EAST_ASIAN_LINES.join('\n')}`);
    });

    test('draws a scan in CCITT', async () => {
      const scan = streamOf(
        Uint8Array.from([0x26, 0xbe, 0x88, 0xf4, 0x61, 0x05, 0x17, 0x00, 0x10, 0x01]),
        0,
        '/Type /XObject /Subtype /Image /Width 8 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 4 >>',
      );
      const data = pageWith('q 8 0 0 4 0 0 cm /I0 Do Q', [scan]);
      const { image } = await documents.open({ data, format: 'pdf', pages: 'page-1.png' }, { abortSignal });
      const { width, height, data: values } = decode(image?.data ?? new Uint8Array());
      expect([width, height, Array.from(values.slice(0, 8))]).toEqual([8, 4, [0, 0, 255, 255, 255, 255, 255, 255]]);
    });

    test('draws the images of a page of a PDF', async () => {
      const image = imageOf(2, 2, '/ColorSpace /DeviceRGB /BitsPerComponent 8', 'ff000000ff000000ff000000');
      const data = pageWith('q 100 0 0 100 50 50 cm /I0 Do Q', [image]);
      const read = await documents.open({ data, format: 'pdf', pages: 'page-1.png' }, { abortSignal });
      expect(read.image).toMatchObject({ name: 'page-1.png', mediaType: 'image/png' });
      expect(decode(read.image?.data ?? new Uint8Array())).toMatchObject({ width: 2, height: 2, channels: 3 });
    });

    test('says why a document cannot be read', async () => {
      const data = (await load('table.docx')).slice(0, 3_000);
      await expect(documents.open({ data, format: 'docx' }, { abortSignal })).rejects.toMatchObject({
        code: 'failed',
        message: expect.stringContaining('The file is damaged'),
      });
    });

    test('stops when it is told to', async () => {
      const stop = new AbortController();
      const reading = documents.open({ data: await load('guide.docx'), format: 'docx' }, { abortSignal: stop.signal });
      stop.abort();
      await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    });
  });
}

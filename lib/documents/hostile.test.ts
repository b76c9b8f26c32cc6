import { zipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import { startReader } from '#hosts/local/start-reader.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { documentFormat } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { DocumentReader } from './document-reader.ts';
import { docxOf, odsOf, odtOf, packed, pptxOf, xlsxOf } from './test/office-source.ts';
import { pageOf, streamOf, writing } from './test/pdf-source.ts';

vi.setConfig({ testTimeout: 90_000 });

const reader = new DocumentReader(startReader);

/** Reads a document in a thread of its own, and returns what a model gets: its text and its notes, or the error. */
async function open(name: string, data: Uint8Array, pages?: string): Promise<string> {
  const format = documentFormat(data, name);
  if (format === undefined) return 'no document';
  try {
    const { parts, notes } = await reader.open({ data, format, pages }, { abortSignal: new AbortController().signal });
    return [textOfDocument(parts), ...notes].join('\n');
  } catch (error) {
    return `Error: ${messageOf(error)}`;
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index || ''};`.repeat(10)}">`,
).join('')}]>`;

const OUTSIDE = '<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>';

const MILLION = 1_048_576;

/** A sheet of a million rows, of which each is as short as it can be. */
const rows = (count: number): string =>
  Array.from({ length: count }, (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>${row}</v></c></row>`).join('');

/** An encrypted document of Office, as far as its container says so. */
const encryptedOffice = (): Uint8Array => {
  const data = new Uint8Array(2_048);
  data.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  for (const [index, letter] of [...'EncryptedPackage'].entries()) data[1_024 + index * 2] = letter.charCodeAt(0);
  return data;
};

const HOSTILE: readonly [name: string, file: string, data: () => Uint8Array, expected: RegExp][] = [
  ['an empty file', 'a.docx', () => new Uint8Array(), /^Error: The file is empty, so it is not a Word document\./],
  ['an empty PDF', 'a.pdf', () => new Uint8Array(), /^Error: The file is empty/],
  ['a cut workbook', 'a.xlsx', () => xlsxOf(rows(50)).subarray(0, 400), /^Error: The file is damaged/],
  [
    'a workbook with damaged content',
    'a.xlsx',
    () => {
      const data = xlsxOf(rows(2_000));
      data.fill(0xff, Buffer.from(data).indexOf('sheet1.xml') + 12, Buffer.from(data).indexOf('sheet1.xml') + 400);
      return data;
    },
    /^Error: The file is damaged/,
  ],
  [
    'bytes that are no document',
    'a.docx',
    () => new Uint8Array(5_000).fill(7).fill(0, 9, 12),
    /^Error: The file is damaged/,
  ],
  ['an encrypted Office document', 'a.xlsx', encryptedOffice, /^Error: The document is encrypted.*without a password/],
  [
    'an old Word document',
    'a.doc',
    () => encryptedOffice().fill(0, 1_024),
    /^Error: The document is in the format of Office 97 to 2003.*save it as \.docx/,
  ],
  [
    'an encrypted OpenDocument text',
    'a.odt',
    () =>
      odtOf('x', { 'META-INF/manifest.xml': '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>' }),
    /^Error: The document is encrypted/,
  ],
  ['a protected e-book', 'a.epub', protectedBook, /^Error: The e-book is protected against copying/],
  ['a scan', 'a.pdf', () => pageOf(streamOf('')), /no text; they may be scanned images/],
  ['a presentation of images', 'a.pptx', () => pptxOf(['<p:pic/>']), /has no text; it may consist of images/],
  ['laughs in a workbook', 'a.xlsx', () => xlsxOf(rows(1), LAUGHS), /^Error: The document declares XML entities/],
  [
    'laughs in a text',
    'a.docx',
    () => docxOf('<w:p><w:r><w:t>&lol9;</w:t></w:r></w:p>', LAUGHS),
    /^Error: .*XML entities/,
  ],
  ['an entity from outside', 'a.odt', () => odtOf('<text:p>&xxe;</text:p>', {}, OUTSIDE), /^Error: .*XML entities/],
  [
    'an entity that is not declared',
    'a.docx',
    () => docxOf('<w:p><w:r><w:t>before &xxe; after</w:t></w:r></w:p>'),
    /before/,
  ],
  [
    'a file that unpacks to gigabytes',
    'a.xlsx',
    () => packed({ 'xl/sharedStrings.xml': new Uint8Array(DOCUMENT_LIMITS.unpackedBytes + 1) }, xlsxOf(rows(1))),
    /^Error: The file unpacks to more than 300 MB/,
  ],
  [
    'more parts than anybody needs',
    'a.docx',
    () => packed(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}`, ''])), docxOf('')),
    /^Error: The file has more than 10000 parts/,
  ],
  ['100,000 levels', 'a.odt', () => odtOf('<text:span>'.repeat(100_000)), /^Error: The document is nested too deeply/],
  [
    '100,000 groups',
    'a.rtf',
    () => bytes(`{\\rtf1 ${'{'.repeat(100_000)}`),
    /^Error: The document is nested too deeply/,
  ],
  [
    'a cell that is repeated without end',
    'a.ods',
    () =>
      odsOf(
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>',
      ),
    /A100: x/,
  ],
  [
    'macros and external content',
    'a.docm',
    () =>
      packed(
        {
          'word/vbaProject.bin': 'Sub AutoOpen() globalThis.wasRun = 1',
          'word/_rels/document.xml.rels':
            '<Relationships><Relationship Id="r1" Type="http://x/image" Target="http://169.254.169.254/x.png" TargetMode="External"/></Relationships>',
        },
        docxOf(
          '<w:p><w:r><w:t>plain words</w:t></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
        ),
      ),
    /^plain words/,
  ],
  [
    'a PDF whose font is missing',
    'a.pdf',
    () => pageOf(streamOf(writing('Hello').replace('/F1', '/Missing'))),
    /Hello|no text/,
  ],
  ['an archive that is no document', 'a.zip', () => zipSync({ 'a.txt': bytes('x') }), /^no document/],
  ['a document that is text', 'a.docx', () => bytes('plain text'), /^no document/],
];

describe('a document', () => {
  test.each(HOSTILE)('%s', async (_, file, data, expected) => {
    const text = await open(file, data());
    expect(text).toMatch(expected);
    expect(text).not.toContain('root:');
    expect(globalThis).not.toHaveProperty('wasRun');
  });

  test('of a million rows is read as far as a model can use it, and on from any row', async () => {
    const data = xlsxOf(rows(MILLION));
    const text = await open('a.xlsx', data);
    expect(text).toContain('A1: 0\nA2: 1\n');
    const [, cut = '', from = ''] = /was cut after row (\d+); read on with pages "Sheet1!(\d+)-"/.exec(text) ?? [];
    expect(Number(from)).toBe(Number(cut) + 1);
    expect(text.length).toBeLessThan(DOCUMENT_LIMITS.text + 1_000);
    expect(await open('a.xlsx', data, `Sheet1!${MILLION - 1}-`)).toContain(
      `A${MILLION - 1}: ${MILLION - 2}\nA${MILLION}: ${MILLION - 1}`,
    );
  });
});

function protectedBook(): Uint8Array {
  return zipSync({
    mimetype: bytes('application/epub+zip'),
    'META-INF/container.xml': bytes('<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'),
    'META-INF/encryption.xml': bytes(
      '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="one.xhtml"/></CipherData></EncryptedData></encryption>',
    ),
    'book.opf': bytes(
      '<package><manifest><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    ),
    'one.xhtml': bytes('not readable'),
  });
}

import { zipSync } from 'fflate';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { docxOf, odsOf, odtOf, packed, pptxOf, xlsxOf } from './office-source.ts';
import { pageOf, pdfOf, streamOf, writing } from './pdf-source.ts';

/** A document that tries to load or run something, to take all of the time or memory, or that cannot be read. */
export interface HostileDocument {
  name: string;
  /** The name of its file. */
  file: string;
  data(): Uint8Array;
  /** Matches the text that a model gets, or the error. */
  expected: RegExp;
}

/** The name of the global variable that a document sets if something in it runs. */
export const RAN = 'wasRun';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index || ''};`.repeat(10)}">`,
).join('')}]>`;

const OUTSIDE = '<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>';

/** The rows of a sheet, each as short as it can be. */
export const rows = (count: number): string =>
  Array.from({ length: count }, (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>${row}</v></c></row>`).join('');

/** An encrypted document of Office, as far as its container says so. */
const encryptedOffice = (): Uint8Array => {
  const data = new Uint8Array(2_048);
  data.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  for (const [index, letter] of [...'EncryptedPackage'].entries()) data[1_024 + index * 2] = letter.charCodeAt(0);
  return data;
};

/** The place of a text in bytes; -1 if it is not there. */
const indexOf = (data: Uint8Array, text: string): number => new TextDecoder('latin1').decode(data).indexOf(text);

/** Returns hostile documents. `target`: the address of a server that must not be reached. */
export function hostileDocuments(target: string): HostileDocument[] {
  const list: readonly [name: string, file: string, data: () => Uint8Array, expected: RegExp][] = [
    ['an empty file', 'a.docx', () => new Uint8Array(), /The file is empty, so it is not a Word document\./],
    ['an empty PDF', 'a.pdf', () => new Uint8Array(), /The file is empty/],
    ['a cut workbook', 'a.xlsx', () => xlsxOf(rows(50)).subarray(0, 400), /The file is damaged/],
    [
      'a workbook with damaged content',
      'a.xlsx',
      () => {
        const data = xlsxOf(rows(2_000));
        data.fill(0xff, indexOf(data, 'sheet1.xml') + 12, indexOf(data, 'sheet1.xml') + 400);
        return data;
      },
      /The file is damaged/,
    ],
    ['bytes that are no document', 'a.docx', () => new Uint8Array(5_000).fill(7).fill(0, 9, 12), /The file is damaged/],
    ['an encrypted Office document', 'a.xlsx', encryptedOffice, /The document is encrypted.*without a password/],
    [
      'an old Word document',
      'a.doc',
      () => encryptedOffice().fill(0, 1_024),
      /The document is in the format of Office 97 to 2003.*save it as \.docx/,
    ],
    [
      'an encrypted OpenDocument text',
      'a.odt',
      () =>
        odtOf('x', {
          'META-INF/manifest.xml': '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>',
        }),
      /The document is encrypted/,
    ],
    ['a protected e-book', 'a.epub', protectedBook, /The e-book is protected against copying/],
    ['a scan', 'a.pdf', () => pageOf(streamOf('')), /no text; they may be scanned images/],
    ['a presentation of images', 'a.pptx', () => pptxOf(['<p:pic/>']), /has no text; it may consist of images/],
    ['laughs in a workbook', 'a.xlsx', () => xlsxOf(rows(1), LAUGHS), /The document declares XML entities/],
    ['laughs in a text', 'a.docx', () => docxOf('<w:p><w:r><w:t>&lol9;</w:t></w:r></w:p>', LAUGHS), /XML entities/],
    ['an entity from outside', 'a.odt', () => odtOf('<text:p>&xxe;</text:p>', {}, OUTSIDE), /XML entities/],
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
      /The file unpacks to more than 300 MB/,
    ],
    [
      'more parts than anybody needs',
      'a.docx',
      () => packed(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}`, ''])), docxOf('')),
      /The file has more than 10000 parts/,
    ],
    ['100,000 levels', 'a.odt', () => odtOf('<text:span>'.repeat(100_000)), /The document is nested too deeply/],
    ['100,000 groups', 'a.rtf', () => bytes(`{\\rtf1 ${'{'.repeat(100_000)}`), /The document is nested too deeply/],
    [
      'a cell that is repeated without end',
      'a.ods',
      () =>
        odsOf(
          '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>',
        ),
      /A50: x/,
    ],
    [
      'macros and external content',
      'a.docm',
      () =>
        packed(
          {
            'word/vbaProject.bin': `Sub AutoOpen() globalThis.${RAN} = 1`,
            'word/_rels/document.xml.rels': `<Relationships><Relationship Id="r1" Type="http://x/image" Target="${target}/x.png" TargetMode="External"/></Relationships>`,
          },
          docxOf(
            '<w:p><w:r><w:t>plain words</w:t></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>',
          ),
        ),
      /plain words/,
    ],
    [
      'a PDF whose font is missing',
      'a.pdf',
      () => pageOf(streamOf(writing('Hello').replace('/F1', '/Missing'))),
      /Hello|no text/,
    ],
    ['an archive that is no document', 'a.zip', () => zipSync({ 'a.txt': bytes('x') }), /no document/],
    ['a document that is text', 'a.docx', () => bytes('plain text'), /no document/],

    [
      'a page that runs a script and opens an address',
      'a.pdf',
      () =>
        pdfOf([
          `<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (globalThis.${RAN} = 1; app.launchURL\\("${target}/js"\\)) >> /AA << /WC << /S /URI /URI (${target}/uri) >> >> >>`,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /AA << /O << /S /Launch /F (calc.exe) >> >> >>`,
          streamOf(writing('plain words')),
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        ]),
      /plain words/,
    ],
    [
      'a page whose content is at an address',
      'a.pdf',
      () =>
        pageOf(streamOf(writing('plain words'), 0, `/F << /FS /URL /F (${target}/content) >> /FFilter /FlateDecode`)),
      /plain words|no text/,
    ],
    ['pages that contain each other', 'a.pdf', circularPages, /damaged|no text|Page/],
    [
      'a page that unpacks to gigabytes',
      'a.pdf',
      () => pageOf(streamOf(new Uint8Array(200_000_000), 2)),
      /The PDF is damaged|no text|packed so densely/,
    ],
    [
      'a text with fields, an object, and a template elsewhere',
      'a.rtf',
      () =>
        bytes(
          `{\\rtf1{\\*\\template ${target}/t.dotm}{\\field{\\*\\fldinst INCLUDEPICTURE "${target}/p.png"}{\\fldrslt plain}} words{\\object\\objautlink{\\*\\objclass Excel.Sheet}{\\*\\objdata 0105000002000000}}}`,
        ),
      /plain words/,
    ],
    [
      'a template, a field, and a file elsewhere',
      'a.docx',
      () =>
        packed(
          {
            'word/settings.xml': '<w:settings><w:attachedTemplate r:id="t"/></w:settings>',
            'word/_rels/settings.xml.rels': `<Relationships><Relationship Id="t" Type="http://x/attachedTemplate" Target="${target}/t.dotm" TargetMode="External"/></Relationships>`,
            'word/_rels/document.xml.rels': `<Relationships><Relationship Id="f" Type="http://x/aFChunk" Target="${target}/part.html" TargetMode="External"/></Relationships>`,
          },
          docxOf(
            `<w:p><w:r><w:t>plain words</w:t></w:r></w:p><w:p><w:fldSimple w:instr="INCLUDETEXT ${target}/f.docx"/></w:p><w:altChunk r:id="f"/>`,
          ),
        ),
      /plain words/,
    ],
    [
      'a formula that asks a server, and a link to a workbook elsewhere',
      'a.xlsx',
      () =>
        packed(
          {
            'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook r:id="e"/></externalLink>',
            'xl/externalLinks/_rels/externalLink1.xml.rels': `<Relationships><Relationship Id="e" Type="http://x/externalLinkPath" Target="${target}/b.xlsx" TargetMode="External"/></Relationships>`,
          },
          xlsxOf(
            `<row r="1"><c r="A1"><f>WEBSERVICE("${target}/f")</f><v>1</v></c><c r="B1"><f>[1]Sheet1!A1</f><v>2</v></c></row>`,
          ),
        ),
      /A1: 1 \| 2/,
    ],
    [
      'an image and a script elsewhere',
      'a.odt',
      () =>
        odtOf(
          `<text:p>plain words<draw:frame><draw:image xlink:href="${target}/i.png"/></draw:frame><text:script xlink:href="${target}/s.js">globalThis.${RAN} = 1</text:script></text:p>`,
        ),
      /plain words/,
    ],
    [
      'an e-book with scripts, and with pictures and styles elsewhere',
      'a.epub',
      () =>
        book(
          `<html><head><link rel="stylesheet" href="${target}/a.css"/><script src="${target}/a.js"/><script>globalThis.${RAN} = 1</script></head><body onload="globalThis.${RAN} = 1"><p>plain words</p><img src="${target}/i" onerror="globalThis.${RAN} = 1"/><iframe src="${target}/f"/></body></html>`,
        ),
      /plain words/,
    ],
    [
      'a notebook whose outputs run and load something',
      'a.ipynb',
      () =>
        bytes(
          JSON.stringify({
            cells: [
              {
                cell_type: 'code',
                source: 'print(1)',
                metadata: {},
                execution_count: 1,
                outputs: [
                  {
                    output_type: 'display_data',
                    metadata: {},
                    data: {
                      'text/html': `<img src="${target}/i" onerror="globalThis.${RAN} = 1">`,
                      'application/javascript': `globalThis.${RAN} = 1`,
                      'image/svg+xml': `<svg onload="globalThis.${RAN} = 1"><image href="${target}/i"/></svg>`,
                    },
                  },
                ],
              },
            ],
            metadata: {},
            nbformat: 4,
            nbformat_minor: 5,
          }),
        ),
      /print\(1\)/,
    ],
  ];
  return list.map(([name, file, data, expected]) => ({ name, file, data, expected }));
}

/** A PDF whose tree of pages has no end. */
const circularPages = (): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 1000000 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 1000000 >>',
  ]);

/** An e-book of one chapter. */
const book = (chapter: string, files: Readonly<Record<string, Uint8Array>> = {}): Uint8Array =>
  zipSync({
    mimetype: bytes('application/epub+zip'),
    'META-INF/container.xml': bytes('<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'),
    ...files,
    'book.opf': bytes(
      '<package><manifest><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    ),
    'one.xhtml': bytes(chapter),
  });

function protectedBook(): Uint8Array {
  return book('not readable', {
    'META-INF/encryption.xml': bytes(
      '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="one.xhtml"/></CipherData></EncryptedData></encryption>',
    ),
  });
}

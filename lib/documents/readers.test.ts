import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { textOfDocument } from '#lib/tools/documents/document-text.ts';
import { documentFormat } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { pageItems } from './pdf/page-items.ts';
import { docxOf, numbersOf, odsOf, odtOf, packed, pptxOf, xlsxOf } from './test/office-source.ts';
import { EAST_ASIAN_LINES, eastAsianPdf, pdfOf, streamOf, writing } from './test/pdf-source.ts';
import { readDocument } from './test/read-document.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes of which each is a character. */
const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const PNG = latin('\x89PNG\r\n\x1a\n');

/** A ZIP file of one entry whose directory claims that it unpacks to so many bytes. */
function claiming(zip: Uint8Array, unpacked: number): Uint8Array {
  new DataView(zip.buffer).setUint32(Buffer.from(zip).indexOf('PK\x01\x02') + 24, unpacked, true);
  return zip;
}

async function read(name: string, data: Uint8Array, pages?: string): Promise<string> {
  const format = documentFormat(data, name);
  if (format === undefined) throw new Error('This is no document.');
  const { parts, notes } = await readDocument({ data, format, pages });
  return [textOfDocument(parts), ...notes].join('\n');
}

describe('a format', () => {
  test.each([
    ['report.bin', latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3'), 'pdf'],
    ['notes.txt', bytes('%PDF-1.4 is…'), undefined],
    ['report.pdf', bytes('\n\n%PDF-1.4'), 'pdf'],
    ['a.txt', bytes('{\\rtf1 x}'), undefined],
    ['a.doc', bytes('{\\rtf1 x}'), 'rtf'],
    ['a.zip', claiming(zipSync({ mimetype: bytes(`application/epub+zip${' '.repeat(1_000_000)}`) }), 100), undefined],
    ['a.docx', xlsxOf(''), 'xlsx'],
    ['a', odsOf(''), 'ods'],
    ['a.epub', zipSync({ 'a.txt': bytes('x') }), 'epub'],
    ['a.zip', zipSync({ 'a.txt': bytes('x') }), undefined],
    ['a.pdf', bytes('notes about a PDF'), undefined],
    ['a.pptx', new Uint8Array([0, 1, 2]), 'pptx'],
    ['a.txt', bytes('text'), undefined],
  ])('is told by the content before the name: %s', (name, data, format) => {
    expect(documentFormat(data, name)).toBe(format);
  });
});

describe('a workbook', () => {
  const BOOK = packed(
    {
      'xl/workbook.xml':
        '<x:workbook xmlns:x="m"><x:sheets><x:sheet name="First" r:id="rId1"/><x:sheet name="2024" state="hidden" r:id="rId3"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId3" Type="http://x/worksheet" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="rId2" Type="http://x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId4" Type="http://x/styles" Target="styles.xml"/></Relationships>',
      'xl/sharedStrings.xml':
        '<sst><si><t>plain</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>PHONETIC</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;h&quot;"/><numFmt numFmtId="165" formatCode="0.0&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet2.xml':
        '<worksheet><sheetData><row r="7"><c r="AB7"><v>1</v></c></row></sheetData></worksheet>',
    },
    xlsxOf(`
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>in | line</t></is></c></row>
      <row r="2"><c r="A2" s="1"><v>45292</v></c><c r="B2" s="1"><v>45292.75</v></c><c r="C2" s="1"><v>0.5</v></c><c r="D2" s="2"><v>1</v></c><c r="E2" s="3"><v>1.5</v></c></row>
      <row r="4"><c r="A4"><v>0.30000000000000004</v></c><c r="B4" t="b"><v>1</v></c><c r="C4" t="e"><v>#DIV/0!</v></c><c r="D4"><f>A4*2</f></c></row>
      <row r="5"><c r="A5"><v>1</v></c><c r="C5"><v>3</v></c><c r="Z5"><v>26</v></c></row>
    `),
  );

  test('has dates, truth values, errors, and formulas without a value, with addresses', async () => {
    expect(await read('a.xlsx', BOOK, 'First')).toBe(
      [
        '## Sheet 1: First',
        '',
        'A1: plain | two runs | in \\| line',
        'A2: 2024-01-01 | 2024-01-01T18:00:00 | 12:00:00 | 1900-01-01 | 1.5',
        'A4: 0.3 | TRUE | #DIV/0! | =A4*2 (not computed)',
        'A5: 1 | | 3',
        'Z5: 26',
      ].join('\n'),
    );
  });

  test.each([
    ['2', '## Sheet 2: 2024 (hidden)\n\nAB7: 1'],
    ['2024', '## Sheet 2: 2024 (hidden)\n\nAB7: 1'],
    ['First!2-2', '## Sheet 1: First\n\nA2: 2024-01-01 | 2024-01-01T18:00:00 | 12:00:00 | 1900-01-01 | 1.5'],
    ['first!A5:Z9', '## Sheet 1: First\n\nA5: 1 | | 3\nZ5: 26'],
    ['First!100-', '## Sheet 1: First\n\n(no cells in these rows)'],
  ])('is read in parts: %s', async (pages, expected) => {
    expect(await read('a.xlsx', BOOK, pages)).toBe(expected);
  });

  test('says which sheets it has if there is none of that name', async () => {
    await expect(read('a.xlsx', BOOK, 'Prices')).rejects.toThrow(
      'There is no sheet "Prices": the document has 2 sheets: "First", "2024". Give numbers, such as "1-3", or a name.',
    );
  });

  test('of OpenDocument has repeated cells, and no comments', async () => {
    const rows =
      '<table:table-row><table:table-cell office:value-type="float" office:value="2" table:number-columns-repeated="2"/><table:table-cell table:number-columns-repeated="2"/><table:table-cell office:value-type="string"><office:annotation><text:p>a comment</text:p></office:annotation><text:p>one</text:p><text:p>two</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048575"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    expect(await read('a.ods', odsOf(rows))).toBe('## Sheet 1: Sheet1\n\nA1: 2 | 2 | | | one ⏎ two');
  });
});

describe('numbers of a workbook', () => {
  test.each<[format: string | undefined, value: string, expected: string, is1904?: boolean]>([
    ['[h]:mm', '1.5', '36:00:00'],
    ['[hh]:mm:ss', '0.25', '06:00:00'],
    ['h:mm', '0.5', '12:00:00'],
    ['h:mm AM/PM', '0.5', '12:00:00', true],
    ['yyyy-mm-dd h:mm', '0.5', '1904-01-01T12:00:00', true],
    ['[h]:mm', '1.5', '36:00:00', true],
    ['mm:ss.0', '0.5', '12:00:00'],
    ['Days 0', '3', '3'],
    ['0 &quot;days&quot;', '3', '3'],
    ['d. mmm yyyy', '45292', '2024-01-01'],
    [undefined, '9007199254740991', '9007199254740991'],
    [undefined, '12345678901234567890', '12345678901234567890'],
    [undefined, '0.30000000000000004', '0.3'],
    [undefined, '1E3', '1000'],
  ])('with the format %s: %s', async (format, value, expected, is1904) => {
    const text = await read('a.xlsx', numbersOf([[value, format]], is1904));
    expect(text).toBe(`## Sheet 1: Sheet1\n\nA1: ${expected}`);
  });
});

describe('a spreadsheet of OpenDocument', () => {
  const cell = (content: string, more = '') =>
    `<table:table-cell office:value-type="string" ${more}>${content}</table:table-cell>`;

  test('has all rows and columns that are repeated', async () => {
    const rows = `<table:table-row table:number-rows-repeated="500">${cell('<text:p>x</text:p>', 'table:number-columns-repeated="150"')}</table:table-row>`;
    const lines = (await read('a.ods', odsOf(rows))).split('\n').slice(2);
    expect(lines).toHaveLength(500);
    expect(lines.at(-1)).toBe(`A500: ${Array.from({ length: 150 }, () => 'x').join(' | ')}`);
  });

  test('has the white space of its cells, and says if a sheet is hidden', async () => {
    const text = '<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>';
    const data = odsOf(`<table:table-row>${cell(text)}</table:table-row>`, 'table:display="false"');
    expect(await read('a.ods', data)).toBe('## Sheet 1: Sheet1 (hidden)\n\nA1: a   b\tc ⏎ d');
  });

  test('has numbers with all of their digits', async () => {
    const number = '<table:table-cell office:value-type="float" office:value="9007199254740991"/>';
    expect(await read('a.ods', odsOf(`<table:table-row>${number}</table:table-row>`))).toContain(
      'A1: 9007199254740991',
    );
  });
});

describe('what is too long', () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

  test('of a cell is marked, and told', async () => {
    const data = xlsxOf(`<row r="1">${text('x'.repeat(DOCUMENT_LIMITS.cell + 7))}${text('next')}</row>`);
    expect(await read('a.xlsx', data)).toMatch(
      /x… \[7 more characters\] \| next\nSheet 1: Sheet1 has cells of more than 2000 characters; the rest/,
    );
  });

  test('of a sheet leaves the names of those that were not read', async () => {
    const full = Array.from({ length: 600 }, () => `<row>${text('x'.repeat(1_900))}</row>`).join('');
    const sheets = ['Full', 'Second', 'Third'];
    const data = packed(
      {
        'xl/workbook.xml': `<workbook><sheets>${sheets.map((name) => `<sheet name="${name}" r:id="${name}"/>`).join('')}</sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((name) => `<Relationship Id="${name}" Type="http://x/worksheet" Target="worksheets/${name}.xml"/>`).join('')}</Relationships>`,
        'xl/worksheets/Full.xml': `<worksheet><sheetData>${full}</sheetData></worksheet>`,
        'xl/worksheets/Second.xml': `<worksheet><sheetData><row>${text('two')}</row></sheetData></worksheet>`,
        'xl/worksheets/Third.xml': `<worksheet><sheetData><row>${text('three')}</row></sheetData></worksheet>`,
      },
      xlsxOf(''),
    );
    const whole = await readDocument({ data, format: 'xlsx' });
    expect(whole.parts.map(({ label }) => label)).toEqual(['Sheet 1: Full']);
    expect(whole.notes[0]).toBe(
      'Not read, because the text is too long: sheets "Second", "Third". Their pages are "2-3".',
    );
    expect(await read('a.xlsx', data, '2-3')).toBe('## Sheet 2: Second\n\nA1: two\n\n## Sheet 3: Third\n\nA1: three');
  });
});

describe('a PDF', () => {
  test('has its text, whatever script of East Asia it is in, although its fonts are not in the file', async () => {
    expect(await read('a.pdf', eastAsianPdf())).toBe(`## Page 1\n\n${EAST_ASIAN_LINES.join('\n')}`);
  });

  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${content} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`;
  const ofPages = (first: string, second: string, secondPage = page(6)): Uint8Array =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
      page(5),
      secondPage,
      streamOf(first),
      streamOf(second),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ]);

  test('names the pages without text', async () => {
    expect(await read('a.pdf', ofPages(writing('Hello'), ''))).toMatch(
      /Page 2 has no text, maybe because of scanned images\.$/,
    );
    expect(await read('a.pdf', ofPages('', ''))).toMatch(/The pages have no text; they may be scanned images\.$/);
    expect(await read('a.pdf', ofPages(writing('a'), writing('b')))).not.toContain('no text');
  });

  test('is read without a page that is damaged, and names it', async () => {
    const text = await read('a.pdf', ofPages(writing('Hello'), writing('b'), '(no page)'));
    expect(text).toContain('Hello');
    expect(text).toMatch(/Page 2 could not be read: the PDF is damaged there\.$/);
    expect(text).not.toContain('no text');
  });

  test('says that a page has more pieces of text than are put in order', async () => {
    const pieces = Array.from({ length: DOCUMENT_LIMITS.pageItems + 1 }, () => ({
      str: 'x',
      transform: [1, 0, 0, 1, 0, 0],
    }));
    const found = {
      getTextContent: async () => ({ items: pieces }),
      getViewport: () => ({ transform: [1, 0, 0, 1, 0, 0] }),
      cleanup: () => undefined,
    };
    expect((await pageItems(found as never)).isCut).toBe(true);
    pieces.pop();
    expect((await pageItems(found as never)).isCut).toBe(false);
  });
});

describe('slides', () => {
  const shape = (text: string, type = 'body'): string =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

  test('have titles, tables, and notes; page numbers and alternatives are left out', async () => {
    const table =
      '<a:tbl><a:tr><a:tc><a:p><a:r><a:t>a</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>b</a:t></a:r></a:p></a:tc></a:tr></a:tbl>';
    const data = packed(
      {
        'ppt/slides/_rels/slide0.xml.rels':
          '<Relationships><Relationship Id="r" Type="http://x/notesSlide" Target="../notesSlides/n.xml"/></Relationships>',
        'ppt/notesSlides/n.xml': `<p:notes>${shape('Say hello')}${shape('7', 'sldNum')}</p:notes>`,
      },
      pptxOf([
        `${shape('Head', 'title')}<mc:AlternateContent><mc:Choice>${shape('once')}</mc:Choice><mc:Fallback>${shape('once')}</mc:Fallback></mc:AlternateContent>`,
        `${table}${shape('2', 'sldNum')}`,
      ]),
    );
    expect(await read('a.pptx', data)).toBe(
      '## Slide 1\n\n# Head\n\nonce\n\nNotes: Say hello\n\n## Slide 2\n\n| a | b |\n| --- | --- |',
    );
    expect(await read('a.pptx', data, '2-')).toMatch(/^## Slide 2\n/);
    await expect(read('a.pptx', data, '9')).rejects.toThrow('There is no slide "9": the document has 2 slides.');
  });
});

describe('images inside', () => {
  const data = packed(
    { 'word/media/image1.png': PNG, 'docProps/thumbnail.jpeg': 'no' },
    docxOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>'),
  );

  test('are named, and one is returned by its name', async () => {
    expect(await read('a.docx', data)).toBe(
      'a\nImages inside: image1.png. To see one, read the document with its name as "pages".',
    );
    const { image, parts } = await readDocument({ data, format: 'docx', pages: 'Image1.PNG' });
    expect(image).toEqual({ name: 'image1.png', mediaType: 'image/png', data: PNG });
    expect(parts).toEqual([]);
  });

  test('are not returned if they are too large', async () => {
    const large = packed({ 'word/media/image1.png': new Uint8Array(DOCUMENT_LIMITS.imageBytes + 1) }, data);
    await expect(readDocument({ data: large, format: 'docx', pages: 'image1.png' })).rejects.toThrow(
      'more than 3.7 MB',
    );
    expect(Math.ceil(DOCUMENT_LIMITS.imageBytes / 3) * 4).toBeLessThan(5_000_000);
  });

  test.each(['', 'PNG', '<svg/>'])('are not returned if they are none: %j', async (content) => {
    const damaged = packed({ 'word/media/image1.png': content }, data);
    await expect(readDocument({ data: damaged, format: 'docx', pages: 'image1.png' })).rejects.toThrow(
      'The image image1.png is damaged or empty',
    );
  });

  test('are listed if there is none of that name', async () => {
    await expect(readDocument({ data, format: 'docx', pages: 'image9.png' })).rejects.toThrow(
      'There is no image "image9.png": the document has image1.png.',
    );
  });

  test('are told by their bytes, whatever their names say', async () => {
    const other = packed({ 'word/media/image1.png': latin('\xff\xd8\xff\xe0') }, data);
    const { image } = await readDocument({ data: other, format: 'docx', pages: 'image1.png' });
    expect(image?.mediaType).toBe('image/jpeg');
  });
});

describe('what nobody sees', () => {
  const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
  const BODY = `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('seen ')}${run('HIDDEN', '<w:b/><w:vanish/>')}${run('and shown', '<w:vanish w:val="0"/>')}</w:p>`;

  test('of a Word document is left out', async () => {
    expect(await read('a.docx', docxOf(BODY))).toBe('seen and shown');
  });

  test('of a Word document is left out of its plain paragraphs, too', async () => {
    const broken = packed({ 'word/styles.xml': '<w:styles' }, docxOf(BODY));
    expect(await read('a.docx', broken)).toMatch(/^seen and shown\n/);
  });

  test('of an e-book is left out', async () => {
    const data = zipSync({
      mimetype: bytes('application/epub+zip'),
      'META-INF/container.xml': bytes('<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'),
      'b.opf': bytes(
        '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
      ),
      'a.xhtml': bytes('<body><p>Seen</p><p hidden="">No</p><p style="display:none">No</p></body>'),
    });
    expect(await read('a.epub', data)).toBe('## Chapter 1\n\nSeen');
  });

  test('is left out as characters, with a note', async () => {
    const text = 'a\u{e0041}\u{e0042}\u202eb\u200bc';
    expect(await read('a.odt', odtOf(`<text:p>${text}</text:p>`))).toBe('abc\n4 invisible characters left out.');
    expect(await read('a.xlsx', xlsxOf(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`))).toContain(
      'A1: abc\n4 inv',
    );
  });
});

describe('texts', () => {
  test('a Word document has headings, lists, and tables', async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const body = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p><w:p><w:r><w:t>1. *text*</w:t></w:r></w:p><w:tbl><w:tr>${cell('a')}${cell('b|c')}</w:tr></w:tbl>`;
    expect(await read('a.docx', docxOf(body))).toBe('# Head\n\n1. *text*\n\n| a | b\\|c |\n| --- | --- |');
  });

  test('an OpenDocument text has headings, lists, notes, and spaces; deleted text and comments are left out', async () => {
    const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
      <text:h text:outline-level="2">Head</text:h>
      <text:p>a<text:s text:c="2"/>b<office:annotation><text:p>comment</text:p></office:annotation>
        c<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note></text:p>
      <text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>`;
    expect(await read('a.odt', odtOf(body))).toBe('## Head\n\na  b c (a note )\n\n- one\n- two');
  });

  test('an e-book is read in its order, and a missing chapter is told', async () => {
    const data = zipSync({
      mimetype: bytes('application/epub+zip'),
      'META-INF/container.xml': bytes(
        '<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>',
      ),
      'in/book.opf': bytes(
        '<package><manifest><item id="a" href="one%20a.xhtml"/><item id="b" href="../two.xhtml"/><item id="c" href="no.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/></spine></package>',
      ),
      'in/one a.xhtml': bytes(
        '<html><head><title/></head><body><h1>One</h1><p>Text<script>x</script></p></body></html>',
      ),
      'two.xhtml': bytes(
        '<html><body><p>Two <a href="in/one.xhtml">on</a> <a href="https://x.example">out</a></p></body></html>',
      ),
    });
    expect(await read('a.epub', data)).toBe(
      '## Chapter 1\n\nTwo on [out](https://x.example)\n\n## Chapter 2\n\n# One\n\nText\n\n## Chapter 3\n\n(The file of this chapter is missing.)',
    );
  });
});

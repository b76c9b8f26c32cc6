import { unzipSync, zipSync } from 'fflate';

const encoder = new TextEncoder();

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A ZIP file of these files, and of those of another one that they do not replace. */
export function packed(files: Files, base?: Uint8Array): Uint8Array {
  const own = Object.entries(files).map(
    ([name, content]) => [name, typeof content === 'string' ? encoder.encode(content) : content] as const,
  );
  // The best compression of what is large and empty takes seconds.
  return zipSync({ ...(base !== undefined && unzipSync(base)), ...Object.fromEntries(own) }, { level: 1 });
}

const RELATIONS = (target: string): string =>
  `<Relationships><Relationship Id="rId1" Type="http://x/officeDocument" Target="${target}"/></Relationships>`;

/** A Word document with this body. `declaration`: what comes before the first element. */
export const docxOf = (body: string, declaration = ''): Uint8Array =>
  packed({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `${declaration}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${body}</w:body></w:document>`,
  });

/** An Excel workbook of one sheet with these rows. `declaration`: what comes before the sheet's first element. */
export const xlsxOf = (rows: string, declaration = ''): Uint8Array =>
  packed({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': RELATIONS('xl/workbook.xml'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://x/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `${declaration}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });

/** An Excel workbook of one column, a row for each of these cells: a value, and the code of its format. */
export const numbersOf = (
  cells: readonly (readonly [value: string, format?: string])[],
  is1904 = false,
): Uint8Array => {
  const formats = cells.map(
    ([, format], index) => `<numFmt numFmtId="${200 + index}" formatCode="${format ?? 'General'}"/>`,
  );
  const styles = cells.map((_, index) => `<xf numFmtId="${200 + index}"/>`);
  const rows = cells.map(
    ([value], index) => `<row r="${index + 1}"><c r="A${index + 1}" s="${index}"><v>${value}</v></c></row>`,
  );
  return packed(
    {
      'xl/workbook.xml': `<workbook><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId4" Type="http://x/styles" Target="styles.xml"/></Relationships>',
      'xl/styles.xml': `<styleSheet><numFmts>${formats.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    },
    xlsxOf(rows.join('')),
  );
};

/** A PowerPoint presentation with a slide for each of these contents. */
export const pptxOf = (slides: readonly string[]): Uint8Array =>
  packed({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': RELATIONS('ppt/presentation.xml'),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_, index) => `<Relationship Id="rId${index}" Type="http://x/slide" Target="slides/slide${index}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(slides.map((slide, index) => [`ppt/slides/slide${index}.xml`, `<p:sld>${slide}</p:sld>`])),
  });

/** An OpenDocument text with this body. */
export const odtOf = (body: string, more: Files = {}, declaration = ''): Uint8Array =>
  packed({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${declaration}<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...more,
  });

/** An OpenDocument spreadsheet of one sheet with these rows, whose style has these properties. */
export const odsOf = (rows: string, properties = ''): Uint8Array =>
  packed({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="ta1"><style:table-properties ${properties}/></style:style></office:automatic-styles><table:table table:name="Sheet1" table:style-name="ta1">${rows}</table:table></office:document-content>`,
  });

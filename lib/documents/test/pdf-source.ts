import { zlibSync } from 'fflate';

const encoder = new TextEncoder();

/** A PDF of these objects, without a table of their places: readers look for them. */
export function pdfOf(objects: readonly (string | Uint8Array)[], trailer = '<< /Root 1 0 R >>'): Uint8Array {
  const parts: Uint8Array[] = [encoder.encode('%PDF-1.7\n')];
  for (const [index, object] of objects.entries())
    parts.push(
      encoder.encode(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? encoder.encode(object) : object,
      encoder.encode('\nendobj\n'),
    );
  parts.push(encoder.encode(`trailer\n${trailer}\n%%EOF\n`));
  return joined(parts);
}

/** A stream object, packed as often as given. */
export function streamOf(content: string | Uint8Array, packed = 0, dictionary = ''): Uint8Array {
  let data: Uint8Array = typeof content === 'string' ? encoder.encode(content) : content;
  for (let round = 0; round < packed; round++) data = zlibSync(data, { level: 9 });
  const filter = packed === 0 ? '' : `/Filter [${'/FlateDecode '.repeat(packed)}]`;
  return joined([
    encoder.encode(`<< /Length ${data.byteLength} ${filter} ${dictionary} >>\nstream\n`),
    data,
    encoder.encode('\nendstream'),
  ]);
}

/** A PDF of one page with this content. */
export const pageOf = (content: Uint8Array, more = '', trailer?: string): Uint8Array =>
  pdfOf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${more} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      content,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ],
    trailer,
  );

/** A PDF of one page of 300 × 300 points with this content, in which the objects are `/I0`, `/I1`, and so on. */
export const pageWith = (content: string, objects: readonly Uint8Array[], more = '', resources = ''): Uint8Array => {
  const names = objects.map((_, index) => `/I${index} ${index + 6} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] ${more} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << ${names} >> ${resources} >> >>`,
    streamOf(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
  ]);
};

/** An image as an object of a PDF, its bytes in hexadecimal. `more`: the further entries of its dictionary. */
export const imageOf = (width: number, height: number, more: string, hex: string): Uint8Array =>
  streamOf(
    Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    1,
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${more}`,
  );

/** Returns the PDF operators that write a text on a page. */
export const writing = (text: string): string => `BT /F1 12 Tf 20 200 Td (${text}) Tj ET`;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** The text of `eastAsianPdf`, line by line. */
export const EAST_ASIAN_LINES = ['浏览器里的聊天', '瀏覽器裡的聊天', 'ブラウザの会話', '브라우저 대화'];

const EAST_ASIAN_FONTS = [
  ['STSong-Light', 'GB1', 'UniGB-UCS2-H'],
  ['MSung-Light', 'CNS1', 'UniCNS-UCS2-H'],
  ['HeiseiMin-W3', 'Japan1', 'UniJIS-UCS2-H'],
  ['HYSMyeongJo-Medium', 'Korea1', 'UniKS-UCS2-H'],
] as const;

/**
 * Returns a PDF with a line in each of the East Asian scripts, in fonts that are not in the file, as programs there write them.
 * Its bytes are new each time, because PDF.js takes them.
 */
export function eastAsianPdf(): Uint8Array {
  const hexOf = (text: string) => Array.from(text, (one) => one.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  const lines = EAST_ASIAN_LINES.map((text, at) => `BT /F${at} 12 Tf 20 ${250 - at * 20} Td <${hexOf(text)}> Tj ET`);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << ${EAST_ASIAN_FONTS.map((_, at) => `/F${at} ${at + 5} 0 R`).join(' ')} >> >> >>`,
    streamOf(lines.join('\n')),
    ...EAST_ASIAN_FONTS.map(
      ([name, ordering, encoding]) =>
        `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 >>] >>`,
    ),
  ]);
}

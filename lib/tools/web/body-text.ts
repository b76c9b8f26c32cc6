/**
 * The number of bytes at the beginning of a body in which an HTML page's encoding, as in browsers, or the mark of a PDF is
 * looked for.
 */
const META_BYTES = 1_024;

const CHARSET = /charset\s*=\s*["']?\s*([\w-]{1,40})/i;

/**
 * Decodes the body of a response by its byte order mark, by the charset in `contentType`, or by what an HTML page itself says;
 * otherwise as UTF-8.
 */
export function bodyText(body: Uint8Array, contentType: string, isHtml: boolean): string {
  return decoderFor(body, contentType, isHtml).decode(body);
}

function decoderFor(body: Uint8Array, contentType: string, isHtml: boolean): TextDecoder {
  if (body[0] === 0xfe && body[1] === 0xff) return new TextDecoder('utf-16be');
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le');
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return new TextDecoder();
  const head = isHtml ? new TextDecoder('latin1').decode(body.subarray(0, META_BYTES)) : '';
  const label = CHARSET.exec(contentType)?.[1] ?? CHARSET.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    // A name that nobody knows.
    return new TextDecoder();
  }
}

/**
 * Checks whether bytes are not text: there is a zero byte among the first 8,000, and they are not UTF-16 with a byte order
 * mark.
 */
export const isBinary = (body: Uint8Array): boolean => {
  const isWide = (body[0] === 0xfe && body[1] === 0xff) || (body[0] === 0xff && body[1] === 0xfe);
  return !isWide && body.subarray(0, 8_000).includes(0);
};

const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
];

/**
 * The media type of an image that models can see (PNG, JPEG, GIF, or WebP), by its first bytes, whatever the server says;
 * undefined for anything else.
 */
export function imageType(body: Uint8Array): string | undefined {
  const found = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => body[index] === byte))?.[0];
  if (found !== undefined) return found;
  const text = (from: number, to: number) => String.fromCharCode(...body.subarray(from, to));
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}

/** Checks whether a body is a PDF, by the mark of PDFs within its first 1,024 bytes. */
export const isPdf = (body: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(body.subarray(0, META_BYTES)).includes('%PDF-');

/**
 * Characters that nobody sees, and that could tell a model something that a person who looks at the page does not know: control
 * characters, those that change the direction of text, and Unicode's tag characters.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/gu;

/**
 * Removes the characters from a text that nobody sees, such as control characters and Unicode's tag characters, because they
 * could tell a model something that a person does not notice; and replaces its line ends by LF. `count`: the number of removed
 * characters.
 */
export function withoutUnseen(text: string): { text: string; count: number } {
  let count = 0;
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSEEN, () => {
    count++;
    return '';
  });
  return { text: clean, count };
}

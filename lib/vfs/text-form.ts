import { decodeUtf8 } from './text.ts';

/** The form in which a file's text is written. `mark`: whether a byte order mark precedes it, which is not part of the text. */
export interface TextForm {
  /** The encoding, as `TextDecoder` names it. */
  encoding: string;
  mark: boolean;
}

/** A file's text, and the form in which it was written: its encoding, and whether a byte order mark precedes it. */
export interface WrittenText {
  text: string;
  form: TextForm;
}

/** UTF-8 without a byte order mark, as new files are written. */
export const UTF8: TextForm = { encoding: 'utf-8', mark: false };

/** The bytes of the byte order mark, by encoding. */
const MARKS: ReadonlyMap<string, readonly number[]> = new Map([
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]);

/** Checks whether a byte is a control character that texts do not contain; line and page breaks, for example, are not. */
const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b;

/** The bytes at the beginning of a file that tell whether it is UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 4_096;

/** Matches characters that no text contains: control characters other than line and page breaks, and what is no character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NEVER_TEXT = /[\0-\x07\x0e-\x1a\x1c-\x1f\ufffe\uffff]/;

/**
 * Reads the text of a file: UTF-8, UTF-16, or an encoding older than Unicode in which the text can be written again without
 * loss. UTF-16 without a byte order mark is recognized if most of the text is ASCII. Undefined if the file is not text.
 */
export async function textFromBytes(bytes: Uint8Array): Promise<WrittenText | undefined> {
  // UTF-32 begins like UTF-16.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) return undefined;
  for (const [encoding, mark] of MARKS) {
    if (!mark.every((byte, index) => bytes[index] === byte)) continue;
    const text = decodeAs(bytes.subarray(mark.length), encoding);
    return text === undefined ? undefined : { text, form: { encoding, mark: true } };
  }
  const unmarked = readUnmarked(bytes);
  if (unmarked !== undefined) return unmarked;
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text, form: UTF8 };
  if (bytes.some(isControl) || isDamagedUtf8(bytes)) return undefined;
  const { readLegacyText } = await import('./legacy-text.ts');
  const read = readLegacyText(bytes);
  return read && { text: read.text, form: { encoding: read.encoding, mark: false } };
}

/** Reads UTF-16 without a byte order mark, as some programs export tables; undefined if it is not that. */
function readUnmarked(bytes: Uint8Array): WrittenText | undefined {
  const begin = bytes.subarray(0, SAMPLE_BYTES);
  if (bytes.byteLength % 2 !== 0 || !begin.includes(0)) return undefined;
  // Every other byte of ASCII is 0; others are only in characters such as “一”.
  const zeros = [0, 0];
  for (const [index, byte] of begin.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) < Math.max(begin.byteLength / 4, 4 * Math.min(high, low))) return undefined;
  const encoding = low > high ? 'utf-16le' : 'utf-16be';
  const text = decodeAs(bytes, encoding);
  if (text === undefined || NEVER_TEXT.test(text)) return undefined;
  return { text, form: { encoding, mark: false } };
}

/** Checks whether bytes are UTF-8 with wrong or missing bytes, which other encodings would read as a different text. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const wrong = text.split('\ufffd').length - 1;
  const right = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return right > wrong || decodeAs(bytes, 'utf-8', true) !== undefined;
}

/** Thrown for a text that cannot be written in the encoding of its file: it would be read as a different text. */
export class TextFormError extends Error {
  override readonly name = 'TextFormError';

  constructor(encoding: string) {
    super(
      `The file is written in ${encoding}, in which this text cannot be stored. Delete the file, and write it again: new files are UTF-8.`,
    );
  }
}

/**
 * Returns the bytes of a text in the encoding of `form`, after a byte order mark if the form has one. Rejects with
 * `TextFormError` if they would not be read as the same text.
 */
export async function bytesFromText(text: string, form: TextForm): Promise<Uint8Array> {
  const { encoding, mark } = form;
  // A mark that somebody has written as well is the same one.
  const own = mark && text.startsWith('\ufeff') ? text.slice(1) : text;
  const content = await encodeAs(own, encoding);
  if (content === undefined) throw new TextFormError(encoding);
  const begin = mark ? (MARKS.get(encoding) ?? []) : [];
  if (begin.length === 0) {
    const isPlain = encoding === 'utf-8' || (/^\p{ASCII}*$/u.test(own) && !encoding.startsWith('utf-16'));
    if (!isPlain && (await textFromBytes(content))?.text !== own) throw new TextFormError(encoding);
    return content;
  }
  const bytes = new Uint8Array(begin.length + content.byteLength);
  bytes.set(begin);
  bytes.set(content, begin.length);
  return bytes;
}

async function encodeAs(text: string, encoding: string): Promise<Uint8Array | undefined> {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding.startsWith('utf-16')) {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le');
    return new Uint8Array(view.buffer);
  }
  const { encodeLegacy } = await import('./legacy-text.ts');
  return encodeLegacy(text, encoding);
}

/** Decodes bytes; undefined if they are not valid in the encoding. `isCut`: the last character may be incomplete. */
function decodeAs(bytes: Uint8Array, encoding: string, isCut = false): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    // The bytes are not valid in this encoding.
    return undefined;
  }
}

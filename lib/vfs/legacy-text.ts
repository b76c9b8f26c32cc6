import { analyse } from 'chardet';
import { isAccented, isCommonIn, LOOKED_AT_BYTES, wideEncodingOf } from './wide-encodings.ts';

/** Encodings of Cyrillic: the names that the detector gives them, with those that `TextDecoder` knows. */
const CYRILLIC: ReadonlyMap<string, string> = new Map([
  ['windows-1251', 'windows-1251'],
  ['KOI8-R', 'koi8-r'],
]);

/** The detector's confidence from which on its result is used, in percent. */
const CONFIDENCE = 30;

/** The number of characters beyond ASCII from which on an encoding with two bytes per character is taken as certain. */
const WIDE_CHARACTERS = 8;
/** The same number for an encoding of one of the browser's languages, if all of the characters are common in that language. */
const OWN_CHARACTERS = 2;

/** The greatest share of bytes beyond ASCII in a text of Western Europe. With more, the bytes are something else. */
const ACCENTED_MAX = 0.4;

/**
 * Decodes text in an encoding older than Unicode, which is found by the bytes and the browser's languages. Undefined if the
 * encoding is unclear, or if encoding the text again would not give the same bytes.
 */
export function readLegacyText(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const languages = globalThis.navigator?.languages ?? [];
  const wide = wideEncodingOf(bytes, languages);
  // A guess would be shown as something else, and what is typed would be written as something else.
  const encoding = wide === undefined ? narrowEncodingOf(bytes) : isSure(bytes, wide, languages) ? wide : undefined;
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  const again = encodeLegacy(text, encoding);
  const isSame = again?.byteLength === bytes.byteLength && again.every((byte, index) => byte === bytes[index]);
  return isSame ? { text, encoding } : undefined;
}

/** Checks whether a text is long enough for its encoding to be certain. */
function isSure(bytes: Uint8Array, encoding: string, languages: readonly string[]): boolean {
  const count = new TextDecoder(encoding).decode(bytes).match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return count >= WIDE_CHARACTERS || (count >= OWN_CHARACTERS && isCommonIn(bytes, encoding, languages));
}

function narrowEncodingOf(bytes: Uint8Array): string | undefined {
  const looked = bytes.subarray(0, LOOKED_AT_BYTES);
  const beyond = looked.filter((byte) => byte >= 0x80).length;
  if (isAccented(looked)) return beyond <= looked.byteLength * ACCENTED_MAX ? 'windows-1252' : undefined;
  const [best] = analyse(looked);
  return best !== undefined && best.confidence >= CONFIDENCE ? CYRILLIC.get(best.name) : undefined;
}

/** The results of `tableOf` so far, by encoding: the bytes of each character. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/**
 * Encodes text in an encoding older than Unicode, named as `TextDecoder` names it; undefined if the encoding lacks one of
 * the text's characters.
 */
export function encodeLegacy(text: string, encoding: string): Uint8Array | undefined {
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  const bytes = new Uint8Array(text.length * 2);
  let length = 0;
  for (const character of text) {
    const found = table.get(character);
    if (found === undefined) return undefined;
    for (const byte of found) bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}

/** The bytes of each character in an encoding: the platform can only decode, so all possible bytes are decoded once. */
function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const leads: number[] = [];
  const decode = (bytes: number[]): boolean => {
    try {
      const character = decoder.decode(new Uint8Array(bytes));
      // Of several ways to write a character, the first one is the usual one.
      if ([...character].length === 1 && !table.has(character)) table.set(character, bytes);
      return true;
    } catch {
      // The bytes are only the beginning of a character, or stand for none.
      return false;
    }
  };
  for (let byte = 0; byte < 0x100; byte++) if (!decode([byte])) leads.push(byte);
  for (const lead of leads) for (let trail = 0x40; trail < 0xff; trail++) decode([lead, trail]);
  return table;
}

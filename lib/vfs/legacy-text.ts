import { analyse } from 'chardet';
import { wideEncodingOf } from './wide-encodings.ts';

/** Encodings with one byte to a character, as the detector names them, and as `TextDecoder` does. */
const NARROW: ReadonlyMap<string, string> = new Map([
  ['ISO-8859-1', 'windows-1252'],
  ['ISO-8859-2', 'iso-8859-2'],
  ['ISO-8859-5', 'iso-8859-5'],
  ['ISO-8859-6', 'iso-8859-6'],
  ['ISO-8859-7', 'iso-8859-7'],
  ['ISO-8859-8', 'iso-8859-8'],
  ['ISO-8859-9', 'windows-1254'],
  ['windows-1250', 'windows-1250'],
  ['windows-1251', 'windows-1251'],
  ['windows-1252', 'windows-1252'],
  ['windows-1253', 'windows-1253'],
  ['windows-1254', 'windows-1254'],
  ['windows-1255', 'windows-1255'],
  ['windows-1256', 'windows-1256'],
  ['KOI8-R', 'koi8-r'],
]);

/** How much of a text the detector looks at, in bytes. */
const LOOKED_AT_BYTES = 200_000;

/** From which confidence on a text of another script is taken for one, in percent. Western text is the rest. */
const CONFIDENCE = 20;

/** The share of a text that may be accented letters, and signs. Where there are more, it is something else. */
const ACCENTED_MAX = 0.4;

/** Reads text in an encoding of the time before Unicode; undefined if it is none, or could not be written again. */
export function readLegacyText(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const languages = globalThis.navigator?.languages ?? [];
  const encoding = wideEncodingOf(bytes, languages) ?? narrowEncodingOf(bytes);
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  const again = encodeLegacy(text, encoding);
  const isSame = again?.byteLength === bytes.byteLength && again.every((byte, index) => byte === bytes[index]);
  return isSame ? { text, encoding } : undefined;
}

function narrowEncodingOf(bytes: Uint8Array): string | undefined {
  const looked = bytes.subarray(0, LOOKED_AT_BYTES);
  for (const { name, confidence } of analyse(looked)) {
    const label = NARROW.get(name);
    if (label !== undefined && label !== 'windows-1252' && confidence >= CONFIDENCE) return label;
    if (label === 'windows-1252') break;
  }
  const beyond = looked.filter((byte) => byte >= 0x80).length;
  return beyond <= looked.byteLength * ACCENTED_MAX ? 'windows-1252' : undefined;
}

/** The bytes of each character, by encoding. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Writes text in an encoding; undefined if the encoding lacks one of its characters. */
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

/** The platform can only decode these encodings. So all that it can decode is decoded once. */
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
      return false;
    }
  };
  for (let byte = 0; byte < 0x100; byte++) if (!decode([byte])) leads.push(byte);
  for (const lead of leads) for (let trail = 0x40; trail < 0xff; trail++) decode([lead, trail]);
  return table;
}

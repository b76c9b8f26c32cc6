import { decodeUtf8 } from '#lib/vfs/text.ts';
import { isEastAsianText, KANA, wideEncodingOf } from '#lib/vfs/wide-encodings.ts';

/** The characters from 128 on in encodings of DOS that the platform lacks: for the USA (437), and Western Europe (850). */
const DOS = [
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
] as const;

const CYRILLIC_LANGUAGES = /^(?:ru|uk|be|bg|mk|sr|kk|ky|mn|tg)\b/i;

/** Encodings of Cyrillic: that of DOS, which Windows uses in zips, and that of Windows, which other programs use. */
const CYRILLIC = ['ibm866', 'windows-1251'];

/** The least number of letters in a row in Cyrillic words, on average. In other languages, these bytes are single letters. */
const ROW_MIN = 3;

/**
 * Returns a function that decodes the names of a zip's entries, for names whose encoding the zip does not state. It reads
 * them as UTF-8 if all are valid, like those from macOS; otherwise in an encoding of the person's languages, in one that
 * fits the bytes, or in one of DOS.
 */
export function nameDecoder(names: readonly Uint8Array[], languages: readonly string[]): (name: Uint8Array) => string {
  const isUtf8 = names.every((name) => decodeUtf8(name) !== undefined);
  const label = isUtf8 ? 'utf-8' : encodingOf(joined(names), languages);
  if (label !== undefined) {
    const decoder = new TextDecoder(label);
    return (name) => decoder.decode(name);
  }
  const table = DOS.find((one) => isLatin(joined(names), one)) ?? DOS[0];
  return (name) => decodeDos(name, table);
}

/** The most likely encoding of names, as `TextDecoder` names it; undefined for one of `DOS`. */
function encodingOf(names: Uint8Array, languages: readonly string[]): string | undefined {
  for (const language of languages) {
    if (CYRILLIC_LANGUAGES.test(language)) {
      const cyrillic = CYRILLIC.find((one) => isCyrillic(names, one, 1));
      if (cyrillic !== undefined) return cyrillic;
    }
    // Short names in Chinese characters look like those of any other language.
    if (/^ja\b/i.test(language) && isEastAsianText(names, 'shift_jis')) return 'shift_jis';
  }
  const isOfWest = !languages.some((language) => /^(?:zh|ja|ko)\b/i.test(language));
  if (isOfWest && !hasKana(names) && DOS.some((table) => isLatin(names, table))) return undefined;
  return isCyrillic(names, 'ibm866', ROW_MIN) ? 'ibm866' : wideEncodingOf(names, languages);
}

const decodeDos = (name: Uint8Array, table: string): string =>
  Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : table.charAt(byte - 0x80))).join('');

/** Checks whether, in an encoding of `DOS`, all characters beyond ASCII are Latin letters. */
const isLatin = (names: Uint8Array, table: string): boolean =>
  /^[\p{ASCII}\p{Script=Latin}]*$/u.test(decodeDos(names, table));

/** Checks whether names have two kana in a row. The bytes of a single one also occur in words such as “château”. */
const hasKana = (names: Uint8Array): boolean =>
  new RegExp(`${KANA.source}{2}`, 'u').test(new TextDecoder('shift_jis').decode(names));

/** Checks whether nearly all characters beyond ASCII are Cyrillic, in words of `rowMin` or more letters on average. */
function isCyrillic(names: Uint8Array, label: string, rowMin: number): boolean {
  const text = new TextDecoder(label).decode(names);
  const letters = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const others = text.match(/[^\p{ASCII}\p{Script=Cyrillic}]/gu)?.length ?? 0;
  const rows = text.match(/\p{Script=Cyrillic}+/gu)?.length ?? 1;
  return letters >= others * 10 && letters >= rows * rowMin && letters > 0;
}

/** The bytes of all names, one in each line. */
function joined(names: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(names.reduce((length, name) => length + name.byteLength + 1, 0)).fill(0x0a);
  let at = 0;
  for (const name of names) {
    all.set(name, at);
    at += name.byteLength + 1;
  }
  return all;
}

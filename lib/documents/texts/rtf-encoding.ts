/** The characters from 128 on of encodings of DOS, which `TextDecoder` does not know. */
const DOS: ReadonlyMap<string, string> = new Map([
  [
    'ibm437',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    'ibm850',
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
]);

/** The encodings of RTF's code pages, as `TextDecoder` names them, and those of DOS. */
const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  ...[1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258, 874].map((page) => [page, `windows-${page}`] as const),
  [437, 'ibm437'],
  [850, 'ibm850'],
  [866, 'ibm866'],
  [932, 'shift_jis'],
  [936, 'gb18030'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [65001, 'utf-8'],
]);

/** The code pages of the character sets of RTF's fonts. */
const CHARACTER_SETS: ReadonlyMap<number, number> = new Map([
  [0, 1252],
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);

/**
 * Returns the name of a code page's encoding, for `decodeBytes`: that of Western Europe for an unknown code page or none.
 */
export const encodingOfPage = (page: number | undefined): string => CODE_PAGES.get(page ?? 1252) ?? 'windows-1252';

/**
 * Returns the name of the encoding of an RTF font's character set, for `decodeBytes`. `set`: its number, from `\fcharset`.
 * Undefined for an unknown number, such as that of the default set: the document's encoding then applies.
 */
export function encodingOfSet(set: number): string | undefined {
  const page = CHARACTER_SETS.get(set);
  return page === undefined ? undefined : encodingOfPage(page);
}

/** Decodes bytes in an encoding that `encodingOfPage` or `encodingOfSet` has returned. */
export function decodeBytes(bytes: readonly number[], encoding: string): string {
  const upper = DOS.get(encoding);
  if (upper === undefined) return new TextDecoder(encoding).decode(new Uint8Array(bytes));
  return bytes.map((byte) => (byte < 128 ? String.fromCharCode(byte) : upper[byte - 128])).join('');
}

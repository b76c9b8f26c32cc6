import { analyse } from 'chardet';

/** An encoding older than Unicode in which the characters of a language take two bytes. */
interface WideEncoding {
  /** The name by which `TextDecoder` knows the encoding. */
  label: string;
  /** The name that the detector gives it. */
  detected: string;
  /** Matches the tags of languages that are written in it, such as `zh-TW`. */
  languages: RegExp;
  /** Matches a character of the language. A text without any is not in this encoding. */
  characters: RegExp;
  /** Ranges of the first bytes of common characters, ends included. */
  common: readonly (readonly [from: number, to: number])[];
  /** Checks whether bytes are more likely a text in Western letters. Not needed for Japanese, which is recognized by kana. */
  isWestern(bytes: Uint8Array): boolean;
}

const HAN = /\p{Script=Han}/u;
/**
 * Matches a character of the Japanese syllabaries (kana), except half-width forms, whose bytes occur in texts of all kinds.
 */
export const KANA = /[\u3041-\u3096\u30a1-\u30fa]/u;

const WIDE: readonly WideEncoding[] = [
  {
    label: 'gb18030',
    detected: 'GB18030',
    languages: /^zh(?!-(?:TW|HK|MO|Hant))/i,
    characters: HAN,
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xd7],
    ],
    isWestern: isAccented,
  },
  {
    label: 'big5',
    detected: 'Big5',
    languages: /^zh-(?:TW|HK|MO|Hant)/i,
    characters: HAN,
    common: [[0xa1, 0xc6]],
    isWestern: isRare,
  },
  {
    label: 'shift_jis',
    detected: 'Shift_JIS',
    languages: /^ja/i,
    characters: KANA,
    common: [
      [0x81, 0x83],
      [0x88, 0x97],
    ],
    isWestern: () => false,
  },
  {
    label: 'euc-jp',
    detected: 'EUC-JP',
    languages: /^ja/i,
    characters: KANA,
    common: [
      [0xa1, 0xa5],
      [0xb0, 0xcf],
    ],
    isWestern: () => false,
  },
  {
    label: 'euc-kr',
    detected: 'EUC-KR',
    languages: /^ko/i,
    characters: /\p{Script=Hangul}/u,
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xc8],
    ],
    isWestern: isAccented,
  },
];

/** The number of bytes at the beginning of a text by which its encoding is found. */
export const LOOKED_AT_BYTES = 200_000;

/**
 * Finds the Chinese, Japanese or Korean encoding, older than Unicode, that bytes are most likely in, by its name for
 * `TextDecoder`; undefined if there is none. `languages`: the person's languages, which decide if the bytes alone do not.
 */
export function wideEncodingOf(bytes: Uint8Array, languages: readonly string[] = []): string | undefined {
  const looked = bytes.subarray(0, LOOKED_AT_BYTES);
  const japanese = WIDE.find(
    (one) => one.characters === KANA && isTextIn(looked, one) && isJapanese(looked, one.label),
  );
  if (japanese !== undefined) return japanese.label;
  if (isKorean(looked)) return 'euc-kr';
  const confidences = new Map(analyse(looked).map(({ name, confidence }) => [name as string, confidence]));
  const rank = ({ detected, languages: own }: WideEncoding): number => {
    const language = languages.findIndex((one) => own.test(one));
    return (confidences.get(detected) ?? 0) + (language === -1 ? 0 : 5 / (language + 1));
  };
  const [best] = WIDE.filter((one) => isTextIn(looked, one)).sort((one, other) => rank(other) - rank(one));
  return best?.label;
}

/**
 * Checks whether the encoding is used for one of `languages`, and all characters of the bytes beyond ASCII are common in it.
 * `encoding`: its name for `TextDecoder`.
 */
export function isCommonIn(bytes: Uint8Array, encoding: string, languages: readonly string[]): boolean {
  const found = WIDE.find(({ label, languages: own }) => label === encoding && languages.some((one) => own.test(one)));
  if (found === undefined) return false;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    if (!found.common.some(([from, to]) => lead >= from && lead <= to)) return false;
    at++;
  }
  return true;
}

/** The least share of kana among the characters beyond ASCII of a Japanese text. */
const KANA_SHARE = 0.2;

const isJapanese = (bytes: Uint8Array, label: string): boolean => {
  const text = decodeAs(bytes, label) ?? '';
  const wide = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
  return (text.match(new RegExp(KANA, 'gu'))?.length ?? 0) >= wide * KANA_SHARE;
};

/** The range of first bytes of Korean syllables, ends included. */
const SYLLABLES = { from: 0xb0, to: 0xc8 };
/**
 * The number of characters beyond ASCII and punctuation from which on `isKorean` decides; shorter texts are not taken as
 * Korean.
 */
const TELLING_CHARACTERS = 8;

/** Checks whether nearly all characters are syllables of Korean: Chinese ones would be spread much further. */
function isKorean(bytes: Uint8Array): boolean {
  if (decodeAs(bytes, 'euc-kr') === undefined || isAccented(bytes)) return false;
  let [syllables, all] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    at++;
    // Punctuation.
    if (lead < 0xa4) continue;
    all++;
    if (lead >= SYLLABLES.from && lead <= SYLLABLES.to) syllables++;
  }
  return all >= TELLING_CHARACTERS && syllables >= all * 0.95;
}

/**
 * Checks whether bytes are valid in an encoding, and nearly all letters beyond ASCII are Chinese, Japanese, or Korean.
 * `label`: the encoding's name for `TextDecoder`.
 */
export function isEastAsianText(bytes: Uint8Array, label: string): boolean {
  const text = decodeAs(bytes, label);
  const own = text?.match(OWN)?.length ?? 0;
  return text !== undefined && own > 0 && (text.match(FOREIGN)?.length ?? 0) * 10 <= own;
}

/** Matches letters of Chinese, Japanese, and Korean. */
const OWN = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]/gu;
/** Matches letters beyond ASCII of all other languages. */
const FOREIGN =
  /[^\p{ASCII}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{P}\p{S}\u3000\u30fc]/gu;

/**
 * Checks whether bytes are likely a text in an encoding: valid in it, with a character of its language, with nearly all letters
 * beyond ASCII Chinese, Japanese, or Korean, and not more likely a text in Western letters.
 */
function isTextIn(bytes: Uint8Array, { label, characters, isWestern }: WideEncoding): boolean {
  const text = decodeAs(bytes, label);
  return text !== undefined && characters.test(text) && isEastAsianText(bytes, label) && !isWestern(bytes);
}

/** The last byte with which a common character of Big5 begins. */
const COMMON_LEAD_MAX = 0xc6;

/** Checks whether most characters of a text in Big5 are rare ones. */
function isRare(bytes: Uint8Array): boolean {
  let [common, all] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    all++;
    if (lead <= COMMON_LEAD_MAX) common++;
    at++;
  }
  return common * 2 < all;
}

/** Matches bytes beyond ASCII in a row, with the ASCII letters directly before and after them. */
const ROWS = /([A-Za-z]?)([\x80-\xff]+)(?=([A-Za-z]?))/g;

/**
 * Checks whether bytes are likely a text in Western letters: most stretches of bytes beyond ASCII are a single byte, or
 * stand between ASCII letters, as accented letters do.
 */
export function isAccented(bytes: Uint8Array): boolean {
  let accented = 0;
  let all = 0;
  // Unlike with the encoding that browsers call Latin-1, each byte is the character with its number.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  for (const [, before, row = '', after] of text.matchAll(ROWS)) {
    all++;
    if (row.length === 1 || (before !== '' && after !== '')) accented++;
  }
  return accented * 2 > all;
}

/** Decodes bytes; undefined if they are not valid in the encoding. Leaves out a character that is incomplete at the end. */
function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

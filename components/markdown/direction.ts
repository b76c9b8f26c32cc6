const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** Code and addresses, which are the same in every language. */
const NO_WORDS = /`[^`]*`|\S+:\/\/\S+/g;

/** The beginning of a text that is read, in characters. */
const READ_MAX = 2_000;

/** The share of words from right to left from which on a text is written that way. */
const SHARE = 0.4;

/** Checks whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** The beginning of a message that is being written, in characters, whose words decide its direction. */
export const DIRECTED_BY = 300;

/**
 * The direction in which a text reads. Unlike the first strong letter, which is what browsers go by, most of its words
 * decide: sentences in Hebrew or Arabic often begin with a name in Latin letters.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const words = text.slice(0, READ_MAX).replace(NO_WORDS, ' ').match(WORD) ?? [];
  const rightToLeft = words.filter(hasRightToLeft).length;
  return rightToLeft > 0 && rightToLeft >= words.length * SHARE ? 'rtl' : 'ltr';
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** Matches inline code and addresses, whose words do not count. */
const NO_WORDS = /`[^`]*`|\S+:\/\/\S+/g;

/** The number of characters at the beginning of a text that are read. */
const READ_MAX = 2_000;

/** The share of right-to-left words from which a text reads from right to left. */
const SHARE = 0.4;

/** Checks whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** The number of characters at the beginning of what a person types into a message box that decide its direction. */
export const DIRECTED_BY = 300;

/**
 * The direction in which a text reads, by the share of its right-to-left words. Browsers go by the first letter, but
 * sentences in Hebrew or Arabic often begin with a name in Latin letters.
 */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const words = text.slice(0, READ_MAX).replace(NO_WORDS, ' ').match(WORD) ?? [];
  const rightToLeft = words.filter(hasRightToLeft).length;
  return rightToLeft > 0 && rightToLeft >= words.length * SHARE ? 'rtl' : 'ltr';
}

/**
 * Characters that change a text without being seen, such as those of bidirectional text, and all other controls. Line
 * breaks and tabs are seen, and some languages and emoji need joiners.
 */
const UNSEEN = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes a text safe to show: characters that would change it unseen are shown as escapes, not applied. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (unseen) => `\\u${(unseen.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

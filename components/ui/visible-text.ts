/**
 * Matches characters that change a text without being seen: controls other than line breaks and tabs, controls of
 * bidirectional text, and others that are shown as nothing. A single joiner or variation selector does not match: some
 * languages and emoji need one. Several in a row could hide a message.
 */
const UNSEEN =
  /(?![\n\r\t])(?!(?<!\p{Default_Ignorable_Code_Point})(?:\u200c|\u200d|\ufe0e|\ufe0f))(?:[\p{Cc}\p{Cf}\u2028\u2029]|\p{Default_Ignorable_Code_Point})/gu;

/** Makes a text safe to show: invisible characters, and those that reverse its direction, become escapes such as `\u202e`. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (unseen) => `\\u${(unseen.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/**
 * Characters that change a text without being seen: controls besides line breaks and tabs, those of bidirectional text, and
 * everything else that is shown as nothing. Some languages and emoji need a joiner or a variation selector; one in a row is
 * left, because more could hide a message.
 */
const UNSEEN =
  /(?![\n\r\t])(?!(?<!\p{Default_Ignorable_Code_Point})(?:\u200c|\u200d|\ufe0e|\ufe0f))(?:[\p{Cc}\p{Cf}\u2028\u2029]|\p{Default_Ignorable_Code_Point})/gu;

/** Makes a text safe to show: characters that would change it unseen are shown as escapes, not applied. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (unseen) => `\\u${(unseen.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

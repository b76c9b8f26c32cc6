/** Matches an inline HTML tag that is applied in answers; it has no attributes. All other tags are shown as text. */
export const INLINE_TAG = /^<(?<end>\/?)(?<name>sub|sup|kbd|mark|b|i|u|s)\s*>$/i;

/** Matches a line break in HTML. */
export const LINE_BREAK = /^<\/?br\s*\/?>$/i;

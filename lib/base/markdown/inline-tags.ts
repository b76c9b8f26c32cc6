/** A tag of inline HTML that models write, without attributes, which answers apply. All others are shown as text. */
export const INLINE_TAG = /^<(?<end>\/?)(?<name>sub|sup|kbd|mark|b|i|u|s)\s*>$/i;

/** A line break in HTML. */
export const LINE_BREAK = /^<\/?br\s*\/?>$/i;

/**
 * Matches an inline HTML tag without attributes that answers apply, such as `<sub>`; `end` is `/` in a closing tag. Answers
 * show other inline tags as text, except line breaks (`LINE_BREAK`).
 */
export const INLINE_TAG = /^<(?<end>\/?)(?<name>sub|sup|kbd|mark|b|i|u|s)\s*>$/i;

/** Matches a line break in HTML. */
export const LINE_BREAK = /^<\/?br\s*\/?>$/i;

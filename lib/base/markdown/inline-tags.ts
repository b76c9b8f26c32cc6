/**
 * Matches an inline HTML tag without attributes that takes effect in a shown answer, such as `<sub>`. The group `name` is the
 * tag's name, and `end` is `/` in a closing tag. Other inline tags are shown as text, except line breaks (`LINE_BREAK`).
 */
export const INLINE_TAG = /^<(?<end>\/?)(?<name>sub|sup|kbd|mark|b|i|u|s)\s*>$/i;

/** Matches an HTML tag for a line break, such as `<br>`. */
export const LINE_BREAK = /^<\/?br\s*\/?>$/i;

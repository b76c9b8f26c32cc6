/** The text on each side of a cut that is read to find whole characters, in UTF-16 units: an emoji of a family has eleven. */
const AROUND = 64;

let segmenter: Intl.Segmenter | undefined;

/**
 * The nearest offset at or before `at` that is between two characters as people see them: emoji and accented letters stay
 * whole.
 */
export function borderBefore(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(0, at), text.length);
  const from = Math.max(0, at - AROUND);
  const around = text.slice(from, at + AROUND);
  // Of these, each is a character by itself.
  if (/^[ -~\n\r\t]{2}$/.test(text.slice(at - 1, at + 1)) && text.slice(at - 1, at + 1) !== '\r\n') return at;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const index = segmenter.segment(around).containing(at - from)?.index ?? at - from;
  // A character that is longer than all that was read is cut anywhere, but never within a code point.
  if (index > 0 || from === 0) return from + index;
  return text.charCodeAt(at) >= 0xdc_00 && text.charCodeAt(at) <= 0xdf_ff ? at - 1 : at;
}

/** The beginning of a text, of at most `max` UTF-16 units, in whole characters. */
export const startOf = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, borderBefore(text, max));

/** The end of a text, of `max` UTF-16 units, or a few more, so that its first character is whole. */
export const endOf = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(borderBefore(text, text.length - max));

import { inPlaceOf, linesOf, usualEnd, withLf } from '#lib/tools/files/line-ends.ts';

/** Checks that all lines end in the same way, and not in the way of old Macs, which editors don't keep. */
export const hasUniformEndings = (text: string): boolean =>
  !/\r(?!\n)/.test(text) && !(text.includes('\r\n') && /(?<!\r)\n/.test(text));

/** The most frequent line ending of a text; `\n` if it has only one line. */
export const commonEnding = (text: string): string => usualEnd(linesOf(text));

/** A text whose lines all end in one way. */
export const withEnding = (text: string, ending: string): string => text.replace(/\r\n|\r|\n/g, ending);

/**
 * A text that was made of another one, with that one's line endings: lines that stay, and lines in the place of others, end as
 * before, and added lines as the one before them. The line endings of `text` itself do not count.
 */
export function withEndingsOf(original: string, text: string): string {
  const lines = linesOf(original);
  return inPlaceOf(lines, withLf(text).split('\n'), { previous: undefined, usual: usualEnd(lines) });
}

import { inPlaceOf, linesOf, usualEnd, withLf } from '#lib/tools/files/line-ends.ts';

/**
 * Checks whether all lines end with `\n`, or all with `\r\n`. A lone `\r`, as on old Macs, is neither: editors don't keep it.
 */
export const hasUniformEndings = (text: string): boolean =>
  !/\r(?!\n)/.test(text) && !(text.includes('\r\n') && /(?<!\r)\n/.test(text));

/** The most frequent line ending of a text; `\n` if it has only one line. */
export const commonEnding = (text: string): string => usualEnd(linesOf(text));

/** Returns the text with `ending` in place of all of its line endings. */
export const withEnding = (text: string, ending: string): string => text.replace(/\r\n|\r|\n/g, ending);

/**
 * Returns `text` with the line endings of `original`: a kept line, or one that replaces another, has the ending of that line
 * in `original`; an added line has that of the line before it.
 */
export function withEndingsOf(original: string, text: string): string {
  const lines = linesOf(original);
  return inPlaceOf(lines, withLf(text).split('\n'), { previous: undefined, usual: usualEnd(lines) });
}

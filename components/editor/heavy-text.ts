/**
 * From these sizes on, a text is shown as plain text: what reads and describes all of it would block the page for seconds. In
 * characters. `long`: a line counts from there on; `sum`: of all such lines.
 */
export const HEAVY_TEXT = { whole: 2_000_000, line: 5_000, long: 1_000, sum: 25_000 } as const;

/** Characters of each line of such a text that are shown; Monaco's own limit is 10,000. */
export const HEAVY_LINE_SHOWN = 5_000;

/** Checks whether a text, or its long lines, are too long to be highlighted, checked, and outlined. */
export function isHeavy(text: string): boolean {
  if (text.length > HEAVY_TEXT.whole) return true;
  let sum = 0;
  for (let start = 0; text.length - start > HEAVY_TEXT.long; ) {
    const end = text.indexOf('\n', start);
    const length = (end === -1 ? text.length : end) - start;
    if (length > HEAVY_TEXT.long) sum += length;
    if (length > HEAVY_TEXT.line || sum > HEAVY_TEXT.sum) return true;
    if (end === -1) return false;
    start = end + 1;
  }
  return false;
}

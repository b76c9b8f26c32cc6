/**
 * Limits, in characters, above which a text is shown as plain text, because features that read all of it would block the page
 * for seconds. `whole`: of the text; `line`: of one line; `sum`: of all lines longer than `long`.
 */
export const HEAVY_TEXT = { whole: 2_000_000, line: 5_000, long: 1_000, sum: 25_000 } as const;

/**
 * The number of characters shown of each line of a text that exceeds a limit of `HEAVY_TEXT`; Monaco's own default is
 * 10,000.
 */
export const HEAVY_LINE_SHOWN = 5_000;

/** Checks whether a text exceeds a limit of `HEAVY_TEXT`, so that it is not highlighted, checked, or outlined. */
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

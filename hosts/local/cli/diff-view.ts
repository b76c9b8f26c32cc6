import { createTwoFilesPatch } from 'diff';
import { DIFF_COLUMNS_MAX, DIFF_LINES_MAX } from '../limits.ts';
import { escapeInvisible, harmless, type Output, styled } from './terminal.ts';

/** The maximum time for comparing two texts, in milliseconds. */
const DIFF_TIMEOUT_MS = 500;

/**
 * Returns the difference of two texts as hunks of a unified diff; empty if they are the same, undefined if that takes
 * too long.
 */
export function diffOf(before: string, after: string): string | undefined {
  if (before === after) return '';
  const patch = createTwoFilesPatch('', '', before, after, '', '', { context: 3, timeout: DIFF_TIMEOUT_MS });
  return patch?.slice(patch.indexOf('@@'));
}

/** The maximum size of a diff: the number of lines, and the number of characters in each. */
interface DiffLimits {
  lines: number;
  columns: number;
}

/** No limits, for diffs about which a person decides: they must see all of it. */
export const WHOLE: DiffLimits = { lines: Number.POSITIVE_INFINITY, columns: Number.POSITIVE_INFINITY };

const USUAL: DiffLimits = { lines: DIFF_LINES_MAX, columns: DIFF_COLUMNS_MAX };

/**
 * Returns a diff in colors and with control characters escaped, cut to the limits, with notes that say how much was cut. If
 * lines are not cut (`WHOLE`), invisible characters are escaped, too.
 */
export function colored(output: Output, diff: string, { lines: max, columns }: DiffLimits = USUAL): string {
  const lines = diff.trimEnd().split('\n');
  const shown = lines.slice(0, max).map((whole) => {
    const more = whole.length > columns ? `… ${whole.length - columns} more characters` : '';
    // People who decide about all of it see invisible characters, too.
    const shown = columns === Number.POSITIVE_INFINITY ? escapeInvisible : harmless;
    const line = `${shown(whole.slice(0, columns))}${more}`;
    if (line.startsWith('+')) return styled(output, 'green', line);
    if (line.startsWith('-')) return styled(output, 'red', line);
    return line.startsWith('@@') ? styled(output, 'cyan', line) : line;
  });
  if (lines.length > max) shown.push(styled(output, 'dim', `… ${lines.length - max} more lines`));
  return shown.join('\n');
}

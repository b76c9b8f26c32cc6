import { createTwoFilesPatch } from 'diff';

/** The number of unchanged lines that are shown before and after a change. */
const CONTEXT_LINES = 3;
/** The time limit for comparing two texts, in milliseconds. */
const DIFF_TIMEOUT_MS = 1_000;

/**
 * Compares two texts in the form of `git diff`, under a made-up file name. Empty if they are the same, undefined if comparing
 * takes too long.
 */
export function unifiedDiff(before: string, after: string): string | undefined {
  if (before === after) return '';
  // The names stand in the header only, and need not be those of the files.
  const patch = createTwoFilesPatch('a/text', 'b/text', before, after, '', '', {
    context: CONTEXT_LINES,
    timeout: DIFF_TIMEOUT_MS,
  });
  return patch && `diff --git a/text b/text\n${patch.slice(patch.indexOf('---'))}`;
}

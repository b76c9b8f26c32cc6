import { startOf } from '#lib/base/cut-text.ts';
import { counted } from '#lib/tools/core/counted.ts';
import { type FileReview, hasOtherEdits, outcomesOf } from './file-review.ts';
import { splitLines } from './hunks.ts';

/** The part of a hunk, or of the user's text in its place, that the model is told, in characters. */
const EDIT_MAX_CHARS = 2_000;

/**
 * Describes for the model, in a few lines, which parts of its change of the text file at `path` the user has kept, rejected or
 * edited, and that other lines were changed, if the user did so.
 */
export function describeFileReview(path: string, review: FileReview): string {
  const { hunks, regions } = review;
  const outcomes = outcomesOf(review);
  const kept = outcomes.filter(({ type }) => type === 'kept').length;
  const others = hasOtherEdits(review);
  if (kept === hunks.length && !others) return `${path}: written as you proposed.`;
  const lines = outcomes.flatMap((outcome, index) => {
    const hunk = hunks[index];
    if (outcome.type === 'kept' || hunk === undefined) return [];
    const at = (regions[index]?.start ?? 0) + 1;
    if (outcome.type === 'rejected')
      return [`- Change ${index + 1}, at line ${at}, was rejected: ${quote(hunk.lines.join(''))} was not written.`];
    return [`- Change ${index + 1}, at line ${at}, was edited. There is now: ${quote(outcome.text)}`];
  });
  if (others) lines.push('- The user has changed other lines of it, too.');
  return [
    `${path}: ${counted(kept, 'change')} of ${hunks.length} kept, now ${counted(splitLines(review.text).length, 'line')}.`,
    ...lines,
  ].join('\n');
}

const quote = (text: string): string =>
  JSON.stringify(text.length > EDIT_MAX_CHARS ? `${startOf(text, EDIT_MAX_CHARS)}…` : text);

import { type Hunk, hunksBetween, splitLines } from './hunks.ts';

/** Lines of a text, from 0: the first one, and the one after the last. */
interface LineRange {
  start: number;
  end: number;
}

/** A proposed change of a text file, and the user's decisions and edits so far. */
export interface FileReview {
  /** The text that the change was proposed for; empty for a new file. */
  readonly base: string;
  /** The changes that are proposed for the text. */
  readonly hunks: readonly Hunk[];
  /** The text as it is to be written, with the user's decisions and edits. */
  readonly text: string;
  /** The lines of `text` that belong to each hunk, in the order of `hunks`. They do not overlap. */
  readonly regions: readonly LineRange[];
}

/** The user's decision about a hunk. `text`: the user's own text in place of the hunk. */
type HunkOutcome = { type: 'kept' } | { type: 'rejected' } | { type: 'edited'; text: string };

/** Begins a review of the change from `base` to `proposed`, in which every hunk is kept. */
export function beginReview(base: string, proposed: string): FileReview {
  const hunks = hunksBetween(base, proposed);
  let shift = 0;
  const regions = hunks.map(({ start, end, lines }) => {
    const region = { start: start + shift, end: start + shift + lines.length };
    shift += lines.length - (end - start);
    return region;
  });
  return { base, hunks, text: proposed, regions };
}

/**
 * Returns the review with a hunk kept (its proposed lines) or rejected (the lines before the change), even if the user has
 * edited it before; unchanged if there is no such hunk. Nothing is written to the file.
 */
export function decideHunk(review: FileReview, index: number, decision: 'keep' | 'reject'): FileReview {
  const hunk = review.hunks[index];
  if (hunk === undefined) return review;
  return putIn(review, index, decision === 'keep' ? hunk.lines : splitLines(review.base).slice(hunk.start, hunk.end));
}

/** Returns the review with other lines in place of a hunk's current ones, and the regions after it shifted. */
function putIn(review: FileReview, index: number, put: readonly string[]): FileReview {
  const { text, regions } = review;
  const region = regions[index];
  if (region === undefined) return review;
  const lines = splitLines(text);
  const shift = put.length - (region.end - region.start);
  return {
    ...review,
    text: [...lines.slice(0, region.start), ...put, ...lines.slice(region.end)].join(''),
    regions: regions.map(({ start, end }, at) => ({
      start: start + (at > index ? shift : 0),
      end: end + (at >= index ? shift : 0),
    })),
  };
}

/** Returns a text that is the same for all hunks that remove and add the same lines, wherever they are. */
const keyOf = (base: string, { start, end, lines }: Hunk): string =>
  JSON.stringify([splitLines(base).slice(start, end), lines]);

/** Returns the review with every hunk kept or rejected. The user's edits of lines that belong to no hunk stay. */
export const decideAll = (review: FileReview, decision: 'keep' | 'reject'): FileReview =>
  review.hunks.reduce((decided, _, index) => decideHunk(decided, index, decision), review);

/** Returns the user's decision about each hunk, in the order of `hunks`: kept, rejected, or edited, with the text now there. */
export function outcomesOf({ base, hunks, text, regions }: FileReview): HunkOutcome[] {
  const [old, lines] = [splitLines(base), splitLines(text)];
  return hunks.map((hunk, index): HunkOutcome => {
    const { start, end } = regions[index] ?? { start: 0, end: 0 };
    const now = lines.slice(start, end).join('');
    if (now === hunk.lines.join('')) return { type: 'kept' };
    if (now === old.slice(hunk.start, hunk.end).join('')) return { type: 'rejected' };
    return { type: 'edited', text: now };
  });
}

/** Checks whether the user has changed lines that belong to no hunk. */
export const hasOtherEdits = (review: FileReview): boolean =>
  decideAll(review, 'keep').text !== applyHunks(review.base, review.hunks);

/** Returns `base` with all hunks applied. */
function applyHunks(base: string, hunks: readonly Hunk[]): string {
  const lines = splitLines(base);
  const parts = hunks.map((hunk, index) => [...lines.slice(hunks[index - 1]?.end ?? 0, hunk.start), ...hunk.lines]);
  return [...parts.flat(), ...lines.slice(hunks.at(-1)?.end ?? 0)].join('');
}

/**
 * Lines of a text that were replaced by others, as an editor reports it. `start` and `end`: the first replaced line, from 0,
 * and the one after the last.
 */
export interface LineEdit extends LineRange {
  /** The number of lines that are now in the place of the replaced ones. */
  count: number;
}

/**
 * Returns the review after the user has edited its text. `text`: the whole text after that. `edits`: the places of the
 * edits. If one touches lines of hunks, all lines of the edit belong to the first of these hunks from then on.
 */
export function editText(review: FileReview, text: string, edits: readonly LineEdit[]): FileReview {
  return { ...review, text, regions: edits.reduce(regionsAfter, review.regions) };
}

function regionsAfter(regions: readonly LineRange[], { start, end, count }: LineEdit): LineRange[] {
  const shift = count - (end - start);
  let before = 0;
  return regions.map((region) => {
    let moved = region;
    if (end <= region.start) moved = { start: region.start + shift, end: region.end + shift };
    else if (start < region.end)
      moved = { start: Math.min(start, region.start), end: Math.max(end, region.end) + shift };
    // Of a change across several hunks, the first one takes all.
    moved = { start: Math.max(moved.start, before), end: Math.max(moved.end, before) };
    before = moved.end;
    return moved;
  });
}

/**
 * Begins a new review after the base or the proposed text has changed, and carries over the user's decisions and edits for
 * hunks that are still proposed. `isWhole`: whether nothing that the user did was lost.
 */
export function rebase(review: FileReview, base: string, proposed: string): { review: FileReview; isWhole: boolean } {
  let rebased = beginReview(base, proposed);
  const outcomes = outcomesOf(review);
  const waiting: (string | undefined)[] = rebased.hunks.map((hunk) => keyOf(base, hunk));
  let isWhole = !hasOtherEdits(review);
  for (const [index, hunk] of review.hunks.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.type === 'kept') continue;
    const at = waiting.indexOf(keyOf(review.base, hunk));
    if (at === -1) {
      isWhole = false;
      continue;
    }
    waiting[at] = undefined;
    if (outcome.type === 'rejected') rebased = decideHunk(rebased, at, 'reject');
    else rebased = putIn(rebased, at, splitLines(outcome.text));
  }
  return { review: rebased, isWhole };
}

import { type Hunk, hunksBetween, splitLines } from './hunks.ts';

/** Lines of a text, from 0: the first one, and the one after the last. */
export interface LineRange {
  start: number;
  end: number;
}

/** A proposed change of a text file, and what the user has made of it so far. */
export interface FileReview {
  /** The text that the change was proposed for; empty for a new file. */
  readonly base: string;
  /** The changes that are proposed for the text. */
  readonly hunks: readonly Hunk[];
  /** The text as it is to be written. */
  readonly text: string;
  /** Where each hunk is in it, in order. They do not overlap. */
  readonly regions: readonly LineRange[];
}

/** The user's decision about a hunk. `text`: the text that is there instead. */
export type HunkOutcome = { type: 'kept' } | { type: 'rejected' } | { type: 'edited'; text: string };

/** A review in which everything is kept. */
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

/** Keeps or rejects a hunk, whatever has been made of it before. */
export function decideHunk(review: FileReview, index: number, decision: 'keep' | 'reject'): FileReview {
  const hunk = review.hunks[index];
  if (hunk === undefined) return review;
  return putIn(review, index, decision === 'keep' ? hunk.lines : splitLines(review.base).slice(hunk.start, hunk.end));
}

/** Puts lines where a hunk is. */
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

/** Returns a key of the lines that a hunk removes and adds, wherever it is. */
const keyOf = (base: string, { start, end, lines }: Hunk): string =>
  JSON.stringify([splitLines(base).slice(start, end), lines]);

/** Keeps or rejects every hunk. What was changed elsewhere in the text stays. */
export const decideAll = (review: FileReview, decision: 'keep' | 'reject'): FileReview =>
  review.hunks.reduce((decided, _, index) => decideHunk(decided, index, decision), review);

/** Finds the user's decision about each hunk. */
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

/** Checks whether the user has changed something besides the hunks. */
export const hasOtherEdits = (review: FileReview): boolean =>
  decideAll(review, 'keep').text !== applyHunks(review.base, review.hunks);

/** A text with hunks in it. */
function applyHunks(base: string, hunks: readonly Hunk[]): string {
  const lines = splitLines(base);
  const parts = hunks.map((hunk, index) => [...lines.slice(hunks[index - 1]?.end ?? 0, hunk.start), ...hunk.lines]);
  return [...parts.flat(), ...lines.slice(hunks.at(-1)?.end ?? 0)].join('');
}

/** Lines of a text that were replaced by others, as an editor reports it. */
export interface LineEdit extends LineRange {
  /** The number of lines that are there now. */
  count: number;
}

/** A review after the user has changed its text. A hunk that is touched takes in all that was changed with it. */
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
 * A review for a text or a proposal that has changed meanwhile: hunks that are still proposed keep what the user has made
 * of them. `isWhole`: whether nothing that the user did was lost.
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

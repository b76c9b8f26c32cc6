import { applyPatch, structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginReview, decideAll, decideHunk, editText, hasOtherEdits, outcomesOf, rebase } from './file-review.ts';
import { hunksBetween, splitLines } from './hunks.ts';

/**
 * Two texts with 50 hunks between them, which may add, remove, or replace up to three lines, also at both ends. A last line
 * without an end is common to both.
 */
const texts = fc
  .tuple(
    fc.array(
      fc.record({
        removed: fc.integer({ min: 0, max: 3 }),
        added: fc.integer({ min: 0, max: 3 }),
        common: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 50, maxLength: 50 },
    ),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.boolean(),
    // Few different lines, so that many of them look alike.
    fc.integer({ min: 1, max: 400 }),
  )
  .map(([changes, eol, startsCommon, endsWithLine, kinds]) => {
    let n = 0;
    const next = (mark: string) => `${mark}${n++ % kinds}`;
    const old: string[] = startsCommon ? ['first'] : [];
    const now = [...old];
    for (const [index, { removed, added, common }] of changes.entries()) {
      const adds = removed + added === 0 ? 1 : added;
      for (let i = 0; i < removed; i++) old.push(next('-'));
      for (let i = 0; i < adds; i++) now.push(next('+'));
      if (index === changes.length - 1) break;
      for (let i = 0; i < common; i++) {
        const line = `=${index}.${i}`;
        old.push(line);
        now.push(line);
      }
    }
    const textOf = (lines: string[]) => lines.map((line) => line + eol).join('') + (endsWithLine ? '' : 'last');
    return { before: textOf(old), after: textOf(now) };
  });

const subset = fc.array(fc.boolean(), { minLength: 50, maxLength: 50 });

describe('a review', () => {
  test('any subset of 50 hunks gives the text that a patch of the same hunks gives', () =>
    fc.assert(
      fc.property(texts, subset, fc.infiniteStream(fc.nat(49)), ({ before, after }, wanted, order) => {
        let review = beginReview(before, after);
        expect(review.hunks.length).toBe(50);
        // In any order, and with changes of mind.
        for (const index of order) {
          review = decideHunk(review, index, 'reject');
          if (index % 7 === 0) break;
        }
        for (const [index, isKept] of wanted.entries()) review = decideHunk(review, index, isKept ? 'keep' : 'reject');
        const patch = structuredPatch('a', 'a', before, after, '', '', { context: 0 });
        expect(patch.hunks.length).toBe(50);
        const hunks = patch.hunks.filter((_, index) => wanted[index]);
        const expected = applyPatch(before, { ...patch, hunks }, { autoConvertLineEndings: false });
        expect(review.text).toBe(expected);
        expect(outcomesOf(review).map(({ type }) => type)).toEqual(
          wanted.map((isKept) => (isKept ? 'kept' : 'rejected')),
        );
        expect(hasOtherEdits(review)).toBe(false);
      }),
      { numRuns: 200 },
    ));

  test('all kept is the proposal, and all rejected is the old text', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r') }), fc.string(), (before, after) => {
        const review = beginReview(before, after);
        expect(review.text).toBe(after);
        expect(decideAll(review, 'reject').text).toBe(before);
        expect(decideAll(decideAll(review, 'reject'), 'keep').text).toBe(after);
      }),
    ));
});

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\nTWO\nthree\nfour\nFIVE\nsix\nseven\n';

describe('what the user edits', () => {
  test('in a hunk belongs to it', () => {
    const review = editText(beginReview(BEFORE, AFTER), AFTER.replace('TWO', 'Two!\nmore'), [
      { start: 1, end: 2, count: 2 },
    ]);
    expect(outcomesOf(review)).toEqual([{ type: 'edited', text: 'Two!\nmore\n' }, { type: 'kept' }, { type: 'kept' }]);
    expect(hasOtherEdits(review)).toBe(false);
    expect(decideHunk(review, 0, 'reject').text).toBe(AFTER.replace('TWO', 'two'));
  });

  test('elsewhere stays whatever is decided about the hunks', () => {
    const review = editText(beginReview(BEFORE, AFTER), AFTER.replace('three', '3\n3'), [
      { start: 2, end: 3, count: 2 },
    ]);
    expect(outcomesOf(review).map(({ type }) => type)).toEqual(['kept', 'kept', 'kept']);
    expect(hasOtherEdits(review)).toBe(true);
    expect(decideAll(review, 'reject').text).toBe(BEFORE.replace('three', '3\n3'));
  });

  test('across several hunks belongs to the first of them', () => {
    const review = editText(beginReview(BEFORE, AFTER), 'one\nall\nsix\nseven\n', [{ start: 1, end: 5, count: 1 }]);
    expect(outcomesOf(review).map(({ type }) => type)).toEqual(['edited', 'edited', 'kept']);
    expect(review.regions).toEqual([
      { start: 1, end: 2 },
      { start: 2, end: 2 },
      { start: 3, end: 4 },
    ]);
  });
});

describe('a file that changes during its review', () => {
  const decided = decideHunk(beginReview(BEFORE, AFTER), 1, 'reject');

  test('keeps what was decided about hunks that are still proposed', () => {
    const { review, isWhole } = rebase(decided, `zero\n${BEFORE}`, `zero\n${AFTER}`);
    expect(isWhole).toBe(true);
    expect(review.text).toBe(`zero\n${AFTER.replace('FIVE', 'five')}`);
  });

  test('keeps edited hunks', () => {
    const edited = editText(decided, decided.text.replace('TWO', 'Two'), [{ start: 1, end: 2, count: 1 }]);
    const { review, isWhole } = rebase(edited, `zero\n${BEFORE}`, `zero\n${AFTER}`);
    expect(isWhole).toBe(true);
    expect(outcomesOf(review)).toEqual([{ type: 'edited', text: 'Two\n' }, { type: 'rejected' }, { type: 'kept' }]);
  });

  test('says that decisions were lost with their hunk', () => {
    expect(rebase(decided, BEFORE.replace('five', '5'), AFTER)).toMatchObject({ isWhole: false });
  });
});

describe('hunks', () => {
  test('a text that takes too long to compare is one hunk', () => {
    const line = (n: number) => `${n}\n`;
    const [before, after] = [3, 7].map((factor) =>
      ['same\n', ...Array.from({ length: 60_000 }, (_, n) => line((n * factor * 7_919) % 65_537)), 'end\n'].join(''),
    ) as [string, string];
    const hunks = hunksBetween(before, after);
    expect(hunks.length).toBeGreaterThan(0);
    expect(decideAll(beginReview(before, after), 'reject').text).toBe(before);
  });

  test('lines keep their ends', () => {
    expect(splitLines('a\r\n\nb')).toEqual(['a\r\n', '\n', 'b']);
    expect(splitLines('')).toEqual([]);
  });
});

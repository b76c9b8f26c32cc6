import type { LinePiece } from './page-lines.ts';

/** The fewest lines of a column, and the fewest characters of its usual line: fewer are cells of a table. */
const COLUMN_LINES = 4;
const COLUMN_CHARACTERS = 14;

/** The share of a long line that the usual line of a column has; cells of tables have less. */
const FILLED = 0.55;

/** The share of a column's lines that go on in the middle of a sentence; cells of tables rarely do. */
const GO_ON = 0.25;

/** The share of lines that may go across the gap between two columns, such as a title. */
const ACROSS_MAX = 0.4;

/** The most places between columns that are tried. */
const PLACES_MAX = 300;

/**
 * Puts lines in the order of reading: column by column where text is set in columns, and row by row in tables. Lines that go
 * across columns, such as titles, separate what is above from what is below. `pieces`: from top to bottom, as `linePieces`
 * returns them.
 */
export function inReadingOrder(pieces: readonly LinePiece[]): LinePiece[] {
  const gap = columnGap(pieces);
  if (gap === undefined) return [...pieces];
  const ordered: LinePiece[] = [];
  let left: LinePiece[] = [];
  let right: LinePiece[] = [];
  const flush = (): void => {
    const isFromRight =
      [...left, ...right].filter((piece) => piece.isRightToLeft).length * 2 > left.length + right.length;
    const columns = isFromRight ? [right, left] : [left, right];
    for (const column of columns) ordered.push(...inReadingOrder(column));
    left = [];
    right = [];
  };
  for (const piece of pieces) {
    if (piece.right <= gap) left.push(piece);
    else if (piece.left >= gap) right.push(piece);
    else {
      flush();
      ordered.push(piece);
    }
  }
  flush();
  return ordered;
}

/** The place between two columns of running text; undefined if there are none. */
function columnGap(pieces: readonly LinePiece[]): number | undefined {
  if (pieces.length < 2 * COLUMN_LINES) return undefined;
  const places = [...new Set(pieces.map((piece) => Math.round(piece.left) - 1))].slice(0, PLACES_MAX);
  let best: { place: number; across: number; smaller: number } | undefined;
  for (const place of places) {
    const left = pieces.filter((piece) => piece.right <= place);
    const right = pieces.filter((piece) => piece.left >= place);
    const across = pieces.length - left.length - right.length;
    const smaller = Math.min(left.length, right.length);
    if (smaller < COLUMN_LINES || across > pieces.length * ACROSS_MAX) continue;
    if (!isRunningText(left) || !isRunningText(right) || !areSideBySide(left, right)) continue;
    const isBetter = best === undefined || across < best.across || (across === best.across && smaller > best.smaller);
    if (isBetter) best = { place, across, smaller };
  }
  return best?.place;
}

/** Checks whether lines are those of a column of text: most are long, and many go on in the middle of a sentence. */
function isRunningText(lines: readonly LinePiece[]): boolean {
  const widths = lines.map((line) => line.right - line.left);
  const characters = lines.map(({ text }) => text.length * (/[\u2e80-\uffdc]/.test(text) ? 2 : 1));
  if (atShare(widths, 0.5) < atShare(widths, 0.9) * FILLED || atShare(characters, 0.5) < COLUMN_CHARACTERS)
    return false;
  // Letters of scripts without capitals say nothing about that.
  const goOn = lines.filter(({ text }) => /^[^\p{L}\p{N}]*[\p{Ll}\p{Lo}]/u.test(text)).length;
  return goOn >= lines.length * GO_ON;
}

/** Checks whether two groups of lines share a good part of the page's height. */
function areSideBySide(left: readonly LinePiece[], right: readonly LinePiece[]): boolean {
  const [top, bottom] = [Math.max(topOf(left), topOf(right)), Math.min(bottomOf(left), bottomOf(right))];
  const heights = [bottomOf(left) - topOf(left), bottomOf(right) - topOf(right)];
  return bottom - top >= Math.min(...heights) * 0.5;
}

const topOf = (lines: readonly LinePiece[]): number => Math.min(...lines.map(({ y }) => y));
const bottomOf = (lines: readonly LinePiece[]): number => Math.max(...lines.map(({ y }) => y));

/** The value below which a share of the values lies: the median for 0.5. */
function atShare(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

import type { PageItem } from './page-items.ts';

/** A piece of a line of a PDF page without wide gaps: a line of a column, or a cell of a table. Positions are in points. */
export interface LinePiece {
  text: string;
  left: number;
  right: number;
  /** The baseline, from the top. */
  y: number;
  size: number;
  isRightToLeft: boolean;
}

/** The greatest distance of baselines of one line, as a share of the size of its letters. */
const SAME_LINE = 0.4;

/** The gap that separates words, and the one that separates columns or cells, as shares of the size of the letters. */
const WORD_GAP = 0.15;
const PIECE_GAP = 1;

/**
 * Joins the pieces of text of a PDF page into lines, and splits the lines at wide gaps. Returns the results from top to
 * bottom, and within a line in the direction of reading.
 */
export function linePieces(items: readonly PageItem[]): LinePiece[] {
  const lines: PageItem[][] = [];
  for (const item of [...items].sort((one, other) => one.y - other.y)) {
    const line = lines.findLast((known) => isOnLine(item, known));
    if (line === undefined) lines.push([item]);
    else line.push(item);
  }
  return lines.flatMap(piecesOf);
}

/** Checks whether an item is on a line: its baseline is about that of the line’s first item, or of one of the same size. */
function isOnLine(item: PageItem, [first]: readonly PageItem[]): boolean {
  if (first === undefined) return false;
  const size = Math.max(item.size, first.size);
  return Math.abs(item.y - first.y) <= size * SAME_LINE;
}

function piecesOf(line: readonly PageItem[]): LinePiece[] {
  const isRightToLeft = line.filter((item) => item.isRightToLeft).length * 2 > line.length;
  const sorted = [...line].sort((one, other) => one.x - other.x);
  const pieces: PageItem[][] = [];
  let end = 0;
  for (const item of sorted) {
    const piece = pieces.at(-1);
    if (piece === undefined || item.x - end > item.size * PIECE_GAP) pieces.push([item]);
    else piece.push(item);
    end = Math.max(piece === undefined ? item.x : end, item.x + item.width);
  }
  const joined = pieces.map((piece) => joinedPiece(piece, isRightToLeft));
  return isRightToLeft ? joined.reverse() : joined;
}

function joinedPiece(items: readonly PageItem[], isRightToLeft: boolean): LinePiece {
  const [first] = items;
  const left = Math.min(...items.map(({ x }) => x));
  const right = Math.max(...items.map(({ x, width }) => x + width));
  const words: string[] = [];
  let end = left;
  for (const item of items) {
    const gap = item.x - end;
    const isApart = gap > item.size * WORD_GAP || (item.followsSpace && gap > -item.size * WORD_GAP);
    if (words.length > 0 && isApart) words.push(' ');
    words.push(item.text);
    end = item.x + item.width;
  }
  if (isRightToLeft) words.reverse();
  const text = words.join('').replace(/\s+/g, ' ').trim();
  return { text, left, right, y: first?.y ?? 0, size: first?.size ?? 1, isRightToLeft };
}

import { inReadingOrder } from './columns.ts';
import type { PageItem } from './page-items.ts';
import { type LinePiece, linePieces } from './page-lines.ts';

/** The distance of two lines from which on they are two paragraphs, as a share of the usual distance. */
const PARAGRAPH = 1.5;

/** The text of a page: columns one after the other, and the cells of a table's row separated by tabs. */
export function pageText(items: readonly PageItem[]): string {
  const pieces = inReadingOrder(linePieces(items));
  const lines: { text: string; y: number; size: number }[] = [];
  let before: LinePiece | undefined;
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line !== undefined && before !== undefined && isSameRow(before, piece)) line.text += `\t${piece.text}`;
    else lines.push({ text: piece.text, y: piece.y, size: piece.size });
    before = piece;
  }
  const usual = usualDistance(lines);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1];
    if (previous === undefined) text = line.text;
    else if (isHyphenated(text, line.text)) text = text.slice(0, -1) + line.text;
    else {
      const distance = line.y - previous.y;
      text += `${distance < 0 || distance > usual * PARAGRAPH ? '\n\n' : '\n'}${line.text}`;
    }
  }
  return text;
}

/** Checks whether a piece continues the row of the one before: on the same line, and beside it. */
const isSameRow = (before: LinePiece, piece: LinePiece): boolean =>
  Math.abs(before.y - piece.y) <= Math.max(before.size, piece.size) * 0.4 &&
  (piece.isRightToLeft ? piece.right <= before.left : piece.left >= before.right);

/** Checks whether a line ends within a word that goes on with the next line. */
const isHyphenated = (text: string, next: string): boolean =>
  /\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next);

function usualDistance(lines: readonly { y: number }[]): number {
  const distances = lines.flatMap(({ y }, index) => {
    const before = lines[index - 1];
    return before !== undefined && y > before.y ? [y - before.y] : [];
  });
  return distances.sort((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0;
}

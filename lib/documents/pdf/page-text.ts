import { inReadingOrder } from './columns.ts';
import type { PageItem } from './page-items.ts';
import { type LinePiece, linePieces } from './page-lines.ts';

/** The distance of two lines from which on they are two paragraphs, as a share of the usual distance. */
const PARAGRAPH = 1.5;

/** The part of a line in which its last or first word is looked for, in characters. */
const WORD_MAX = 60;

/**
 * Returns the text of a PDF page: columns one after the other, and the cells of a table's row separated by tabs. `words`: the
 * words of the pages before, in lower case, to which those of this page are added. A hyphen at the end of a line is removed if
 * they contain the word that its two parts make.
 */
export function pageText(items: readonly PageItem[], words = new Set<string>()): string {
  const pieces = inReadingOrder(linePieces(items));
  const lines: { text: string; y: number; size: number }[] = [];
  let before: LinePiece | undefined;
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line !== undefined && before !== undefined && isSameRow(before, piece)) line.text += `\t${piece.text}`;
    else lines.push({ text: piece.text, y: piece.y, size: piece.size });
    before = piece;
  }
  for (const line of lines) for (const [word] of line.text.matchAll(/\p{L}+/gu)) words.add(word.toLowerCase());
  const usual = usualDistance(lines);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1];
    if (previous === undefined) text = line.text;
    else if (isHyphenated(text, line.text))
      text = (isWhole(text, line.text, words) ? text.slice(0, -1) : text) + line.text;
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

/** Checks whether the word of two lines is written without its hyphen: a soft one, or that of a word that is known so. */
function isWhole(text: string, next: string, words: ReadonlySet<string>): boolean {
  const [, first = '', hyphen] = /(\p{L}+)(.)$/u.exec(text.slice(-WORD_MAX)) ?? [];
  const [second = ''] = /^\p{L}+/u.exec(next.slice(0, WORD_MAX)) ?? [];
  return hyphen === '\u00ad' || words.has((first + second).toLowerCase());
}

function usualDistance(lines: readonly { y: number }[]): number {
  const distances = lines.flatMap(({ y }, index) => {
    const before = lines[index - 1];
    return before !== undefined && y > before.y ? [y - before.y] : [];
  });
  return distances.sort((one, other) => one - other)[Math.floor(distances.length / 2)] ?? 0;
}

import { diffArrays } from 'diff';

/** The characters that end a line; empty for the last line of a text, which nothing ends. */
export type LineEnd = '' | '\n' | '\r\n' | '\r';

/** A line of a text without its end, and its end. */
export interface Line {
  text: string;
  end: LineEnd;
}

/** The time limit for comparing old and new lines, in milliseconds. Beyond it, lines are matched by their numbers. */
const DIFF_TIMEOUT_MS = 500;

/** Splits a text into lines. Only the last one has no end, and it is empty if the text ends with a line end. */
export function linesOf(text: string): Line[] {
  const pieces = text.split(/(\r\n|\n|\r)/);
  return pieces.flatMap((piece, index) =>
    index % 2 === 0 ? { text: piece, end: (pieces[index + 1] ?? '') as LineEnd } : [],
  );
}

/** Returns a text with each of its line ends, such as CRLF, replaced by LF. */
export const withLf = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The most frequent line end; LF if there is none. */
export function usualEnd(lines: readonly Line[]): LineEnd {
  const counts = new Map<LineEnd, number>();
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1);
  const [usual] = [...counts].sort(([, one], [, other]) => other - one);
  return usual?.[0] ?? '\n';
}

/**
 * Joins the new lines `now`, which replace the lines `old`, with line ends: a line that is kept, or replaces an old one, gets
 * the end of the old one; an added line that of the line before. The last new line gets no end. `previous`: the end of the line
 * before the first one, if there is one. `usual`: the end for an added line if there is no other.
 */
export function inPlaceOf(
  old: readonly Line[],
  now: readonly string[],
  { previous, usual }: { previous: LineEnd | undefined; usual: LineEnd },
): string {
  const ends = new Set<LineEnd>(old.map(({ end }) => end).filter((end) => end !== ''));
  const isUniform = ends.size <= 1 && (previous === undefined || ends.has(previous));
  const known = isUniform ? [] : knownEnds(old, now);
  const [only = usual] = ends;
  let before = previous ?? only;
  return now
    .map((text, index) => {
      if (index === now.length - 1) return text;
      before = (isUniform ? only : known[index]) || before;
      return `${text}${before}`;
    })
    .join('');
}

/** For each new line, the end of the old line that is kept as this one, or that it replaces; undefined if it is added. */
function knownEnds(old: readonly Line[], now: readonly string[]): (LineEnd | undefined)[] {
  const changes = diffArrays(
    old.map(({ text }) => text),
    [...now],
    { timeout: DIFF_TIMEOUT_MS },
  );
  if (changes === undefined) return now.map((_, index) => old[index]?.end);
  const known: (LineEnd | undefined)[] = [];
  let at = 0;
  let removed: LineEnd[] = [];
  for (const { added, removed: isRemoved, value } of changes) {
    if (isRemoved) {
      removed = old.slice(at, at + value.length).map(({ end }) => end);
      at += value.length;
      continue;
    }
    for (const _ of value) known.push(added ? removed.shift() : old[at++]?.end);
    removed = [];
  }
  return known;
}

import { diffArrays } from 'diff';

/** How long lines are compared, in milliseconds. Beyond that, those between the equal ends count as changed. */
const DIFF_TIMEOUT_MS = 1_000;

type LineEnding = '\n' | '\r\n' | '\r';

const ENDINGS = /\r\n|\r|\n/g;

/** How often each line ending occurs in a text. */
function countEndings(text: string): Record<LineEnding, number> {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [ending] of text.matchAll(ENDINGS)) counts[ending as LineEnding]++;
  return counts;
}

/** The line ending that occurs most often in a text; `\n` in one that has only one line. */
export function commonEnding(text: string): LineEnding {
  const counts = countEndings(text);
  if (counts['\r'] > counts['\n'] && counts['\r'] > counts['\r\n']) return '\r';
  return counts['\r\n'] > counts['\n'] ? '\r\n' : '\n';
}

/** Whether all lines end in the same way, and not in the way of old Macs, which editors don't keep. */
export function hasUniformEndings(text: string): boolean {
  const counts = countEndings(text);
  return counts['\r'] === 0 && (counts['\n'] === 0 || counts['\r\n'] === 0);
}

/**
 * A text that was made of another one, with that one's line endings: each line that both have keeps its own, and each new
 * line gets the one that is the most common. The line endings of `text` itself do not count.
 */
export function withEndingsOf(original: string, text: string): string {
  const [old, now] = [splitEndings(original), splitEndings(text)];
  const common = commonEnding(original);
  const [oldLines, lines] = [old.map(({ line }) => line), now.map(({ line }) => line)];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && oldLines[first] === lines[first]) first++;
  let last = 0;
  while (last < shorter - first && oldLines.at(-1 - last) === lines.at(-1 - last)) last++;
  const endings: (LineEnding | undefined)[] = old.slice(0, first).map(({ ending }) => ending);
  const [oldMiddle, middle] = [oldLines.slice(first, old.length - last), lines.slice(first, now.length - last)];
  const changes = diffArrays(oldMiddle, middle, { timeout: DIFF_TIMEOUT_MS });
  let at = first;
  for (const { added, removed, count = 0 } of changes ?? [{ added: true, removed: false, count: middle.length }]) {
    if (added) endings.push(...new Array<undefined>(count).fill(undefined));
    else {
      if (!removed) endings.push(...old.slice(at, at + count).map(({ ending }) => ending));
      at += count;
    }
  }
  endings.push(...old.slice(old.length - last).map(({ ending }) => ending));
  return now
    .map(({ line, ending }, index) => (ending === undefined ? line : `${line}${endings[index] ?? common}`))
    .join('');
}

/** The lines of a text; only the last one has no ending. */
function splitEndings(text: string): { line: string; ending: LineEnding | undefined }[] {
  const lines: { line: string; ending: LineEnding | undefined }[] = [];
  let start = 0;
  for (const match of text.matchAll(ENDINGS)) {
    lines.push({ line: text.slice(start, match.index), ending: match[0] as LineEnding });
    start = match.index + match[0].length;
  }
  lines.push({ line: text.slice(start), ending: undefined });
  return lines;
}

import { diffArrays } from 'diff';

/**
 * The time limit for comparing two texts, in milliseconds. After that, everything but the equal lines at both ends is one
 * hunk.
 */
const DIFF_TIMEOUT_MS = 1_000;

/** Lines of a text that are replaced by others. */
export interface Hunk {
  /** The first replaced line of the old text, from 0. */
  start: number;
  /** The line after the last replaced one; the same as `start` if lines are only added. */
  end: number;
  /** The lines that take the place of the replaced ones, with line ends. */
  lines: readonly string[];
}

/** A text as lines, each with its line end; only the last one may have none. Joined, they are the text again. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/**
 * Finds the hunks that turn one text into another, in order. Between two hunks, both texts share at least one line. If
 * comparing takes too long, a single hunk reaches from the first difference to the last.
 */
export function hunksBetween(before: string, after: string): Hunk[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const changes = diffArrays(old, now, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return roughHunks(old, now);
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      at += value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { start: at, end: at, lines: [] };
      hunks.push(open);
    }
    if (added) open.lines.push(...value);
    else {
      at += value.length;
      open.end = at;
    }
  }
  return hunks;
}

/** Returns one hunk for everything between the equal lines at the beginning and at the end of both texts. */
function roughHunks(old: readonly string[], now: readonly string[]): Hunk[] {
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first++;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last++;
  return [{ start: first, end: old.length - last, lines: now.slice(first, now.length - last) }];
}

/** Counts the lines that hunks add and remove. */
export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  return {
    added: hunks.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

import { defaultFilter } from 'cmdk';

/** The least score of a match. Texts below it have the letters of the search only here and there, in the middle of words. */
const SCORE_MIN = 0.01;

/**
 * Rates how well a text fits the search, from 0 (not at all) to 1, by the fuzzy matching of `cmdk`. Any text fits an empty
 * search.
 */
export function scoreOf(text: string, search: string): number {
  if (search === '') return 1;
  // In file names from macOS, accents may be characters of their own; in typed text they are not.
  const score = defaultFilter?.(text.normalize('NFC'), search.normalize('NFC')) ?? 1;
  return score < SCORE_MIN ? 0 : score;
}

/** The entries whose text fits the search, best first, at most `limit`. If the search is empty, the first ones in order. */
export function bestMatches<T>(entries: Iterable<T>, search: string, textOf: (entry: T) => string, limit: number): T[] {
  const scored = Array.from(entries, (entry) => ({ entry, score: scoreOf(textOf(entry), search) }));
  const found = scored.filter(({ score }) => score > 0);
  if (search !== '') found.sort((one, other) => other.score - one.score);
  return found.slice(0, limit).map(({ entry }) => entry);
}

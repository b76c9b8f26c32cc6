import { defaultFilter } from 'cmdk';

/** Rates how well a text fits the search, from 0 to 1, by the rules of the palette. */
export const scoreOf = (text: string, search: string): number =>
  // Names of macOS have their accents apart from their letters, and what is typed does not.
  search === '' ? 1 : (defaultFilter?.(text.normalize('NFC'), search.normalize('NFC')) ?? 1);

/** The entries whose text fits what is searched for, best first, at most `limit`; in their order if nothing is. */
export function bestMatches<T>(entries: Iterable<T>, search: string, textOf: (entry: T) => string, limit: number): T[] {
  const scored = Array.from(entries, (entry) => ({ entry, score: scoreOf(textOf(entry), search) }));
  const found = scored.filter(({ score }) => score > 0);
  if (search !== '') found.sort((one, other) => other.score - one.score);
  return found.slice(0, limit).map(({ entry }) => entry);
}

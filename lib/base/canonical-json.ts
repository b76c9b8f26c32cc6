/**
 * Returns a value as JSON text with the properties of its objects sorted by name, so that equal values have equal texts. For
 * undefined, which has no JSON text, returns `null` as text.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

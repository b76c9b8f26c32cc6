import type { LanguageModelMiddleware } from 'ai';

/**
 * A middleware that replaces halves of characters (lone surrogates) in all messages of a prompt. Servers refuse a request
 * with one, and would refuse every later request of the thread.
 */
export const wellFormedPrompt: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => {
    const prompt = wellFormed(params.prompt);
    return prompt === params.prompt ? params : { ...params, prompt };
  },
};

/**
 * Replaces each lone surrogate in the strings and keys of a value, at any depth of arrays and plain objects, by U+FFFD.
 * Returns the same value if there is none.
 */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return (value.isWellFormed() ? value : value.toWellFormed()) as T;
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(wellFormed);
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  // Files are bytes, and addresses are no text.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, item]) => [wellFormed(name), wellFormed(item)] as const);
  const isSame = changed.every(([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1]);
  return isSame ? value : (Object.fromEntries(changed) as T);
}

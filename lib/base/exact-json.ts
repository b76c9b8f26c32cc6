import { roundedNumber } from './rounded-number.ts';

/** Makes a value that `JSON.stringify` writes as the given JSON text. Part of ES2026, and of all supported versions of Node. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Like `JSON.parse`, but with the result of `keep` in place of each integer that JavaScript would round. `keep` gets the
 * integer as it is written. Throws `SyntaxError` for invalid JSON.
 */
export function parseExactly(text: string, keep: (source: string) => unknown): unknown {
  if (roundedNumber(text) === undefined) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const { source = '' } = context ?? {};
    return typeof value === 'number' && roundedNumber(source) !== undefined ? keep(source) : value;
  });
}

import { roundedNumber } from './rounded-number.ts';

/** A JSON text as a value that `JSON.stringify` writes as it is. Part of ES2026, and of all supported versions of Node. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

/** Like `JSON.parse`, but `keep` says what stands for an integer that JavaScript would round. Throws `SyntaxError`. */
export function parseExactly(text: string, keep: (source: string) => unknown): unknown {
  if (roundedNumber(text) === undefined) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { source?: string }) => {
    const { source = '' } = context ?? {};
    return typeof value === 'number' && roundedNumber(source) !== undefined ? keep(source) : value;
  });
}

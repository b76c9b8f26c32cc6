import { parseExactly, rawJson } from '#lib/base/exact-json.ts';

/** An object of JSON whose fields may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** Returns a value as an object; an empty object if it is none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;

/** Checks whether a value is an object with at least one field. */
export const isFilled = (value: unknown): boolean => Object.keys(fieldsOf(value)).length > 0;

/** Returns a list as it is, an object with at least one field as a list of one, and an empty list for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFilled(value) ? [value] : [];
}

/** Returns a text as it is, and an empty text for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a number, also one that is written as text in plain digits; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Parses JSON; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON. In place of each integer that JavaScript would round, the result has an object that `JSON.stringify` writes as
 * the same integer (`JSON.rawJSON`). Throws `SyntaxError` if the text is not JSON.
 */
export const parsedExactly = (text: string): unknown => parseExactly(text, rawJson);

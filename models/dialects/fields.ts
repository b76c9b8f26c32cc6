import { parseExactly, rawJson } from '#lib/base/exact-json.ts';

/** An object of JSON whose fields may be anything. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** The fields of a value; none if it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;

/** Checks whether a value is an object with at least one field. */
export const isFilled = (value: unknown): boolean => Object.keys(fieldsOf(value)).length > 0;

/** A list; a single object counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFilled(value) ? [value] : [];
}

/** A text; empty if the value is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A number, also one that is written as text; undefined if the value is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** The value that a JSON text stands for; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Like `parsed`, with integers that JavaScript would round kept as they are written, for text that is written again by
 * `JSON.stringify`.
 */
export const parsedExactly = (text: string): unknown => parseExactly(text, rawJson);

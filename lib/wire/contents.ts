import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';

/**
 * Long texts of a large request, such as attachments, are sent to the server only once: the request references them by
 * their SHA-256, and the server asks for those that it does not have (anymore).
 */

/** Body of `POST /api/contents`: the long texts that a request only referenced, and that the server has asked for. */
export const contentsRequestSchema = z.object({ contents: z.array(z.string()).min(1) });

/** The length, in characters, from which a text counts as long, so that large requests contain a reference in its place. */
export const CONTENT_MIN_CHARACTERS = 4_000;

/**
 * A header of requests whose body has references `{ $content: name }` in place of long texts, as `nameContents` makes them.
 * In any other body, `$content` is a key like any other.
 */
export const NAMED_CONTENTS_HEADER = 'x-named-contents';

/** The only key of an object that references a text; its value is the text's name. */
const KEY = '$content';
/** The key for an object that has `$content` as a key of its own: it is sent as `{ $content: null, $object: … }`. */
const OBJECT = '$object';

/**
 * Replaces the texts of at least `CONTENT_MIN_CHARACTERS` in a JSON value by references `{ $content: name }`. Returns the
 * new value, and the texts by name. The name of a text is its SHA-256.
 */
export async function nameContents(value: unknown): Promise<{ value: unknown; contents: Map<string, string> }> {
  const names = new Map<string, string>();
  const collect = (entry: unknown): void => {
    if (typeof entry === 'string' && entry.length >= CONTENT_MIN_CHARACTERS) names.set(entry, '');
    else if (typeof entry === 'object' && entry !== null) Object.values(entry).forEach(collect);
  };
  collect(value);
  for (const text of names.keys()) names.set(text, await sha256(text));
  const convert = (entry: unknown): unknown => {
    if (typeof entry === 'string') {
      const name = names.get(entry);
      return name === undefined ? entry : { [KEY]: name };
    }
    if (Array.isArray(entry)) return entry.map(convert);
    if (typeof entry !== 'object' || entry === null) return entry;
    const object = mapValues(entry, convert);
    return Object.hasOwn(entry, KEY) ? { [KEY]: null, [OBJECT]: object } : object;
  };
  return { value: convert(value), contents: new Map(Array.from(names, ([text, name]) => [name, text])) };
}

/**
 * Replaces the references that `nameContents` has made by their texts, which `find` returns by name. `missing`: the names
 * for which it returns undefined; empty texts are in their places. `length`: the total length of the inserted texts, in
 * characters.
 */
export function fillContents(
  value: unknown,
  find: (name: string) => string | undefined,
): { value: unknown; missing: string[]; length: number } {
  const missing = new Set<string>();
  let length = 0;
  const convert = (entry: unknown): unknown => {
    if (Array.isArray(entry)) return entry.map(convert);
    if (typeof entry !== 'object' || entry === null) return entry;
    if (!Object.hasOwn(entry, KEY)) return mapValues(entry, convert);
    const { [KEY]: name, [OBJECT]: object } = entry as { [KEY]: unknown; [OBJECT]?: unknown };
    if (typeof name !== 'string')
      return typeof object === 'object' && object !== null ? mapValues(object, convert) : undefined;
    const text = find(name);
    if (text === undefined) missing.add(name);
    else length += text.length;
    return text ?? '';
  };
  return { value: convert(value), missing: [...missing], length };
}

const mapValues = (object: object, convert: (entry: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, entry]) => [key, convert(entry)]));

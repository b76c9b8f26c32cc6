import { jsonrepair } from 'jsonrepair';
import { parseExactly, rawJson } from '#lib/base/exact-json.ts';
import { roundedNumber } from '#lib/base/rounded-number.ts';
import { withNarrowSyntax } from './json-syntax.ts';
import { PARSER_LIMITS } from './limits.ts';

/** A JSON Schema, as far as it determines the type of a value. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

/**
 * Returns the schema of a named property, or that of additional properties if the name is not declared; undefined if there is
 * neither. Looks into the parts of combined schemas (such as `anyOf`), too. `root`: the whole schema, in which `$ref` is looked
 * up.
 */
export function propertySchema(schema: Schema | undefined, name: string, root: Schema): Schema | undefined {
  for (const variant of variantsOf(schema, root)) {
    const properties = variant.properties;
    if (typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name))
      return (properties as Record<string, Schema>)[name];
  }
  for (const variant of variantsOf(schema, root)) {
    const rest = variant.additionalProperties;
    if (typeof rest === 'object' && rest !== null) return rest as Schema;
  }
  return undefined;
}

/**
 * Returns the JSON types that a schema allows, together with those of the parts that it combines, as with `anyOf`; empty if it
 * allows all. `root`: the whole schema, in which `$ref` is looked up.
 */
export function typesOf(schema: Schema | undefined, root: Schema): ReadonlySet<string> {
  const types = new Set<string>();
  for (const variant of variantsOf(schema, root)) {
    const { type, const: constant } = variant;
    const values = Array.isArray(variant.enum) ? variant.enum : 'const' in variant ? [constant] : [];
    for (const name of Array.isArray(type) ? type : [type]) if (typeof name === 'string') types.add(name);
    if (type === undefined) for (const value of values) types.add(typeOf(value));
  }
  return types;
}

/**
 * Converts a value to the type that its schema requires if the intent is clear: `"5"` to 5, `"True"` to true, JSON text to the
 * array or object it contains, and a number or an object to text where text is required. Also converts the values in lists and
 * objects. Anything else stays as it is, and fails validation later. The result is for `JSON.stringify`: integers that
 * JavaScript would round are `rawJson` values. `root`: the whole schema, in which `$ref` is looked up.
 */
export function coerce(value: unknown, schema: Schema | undefined, root: Schema): unknown {
  const types = typesOf(schema, root);
  const own = typeOf(value);
  if (own === 'array' && (types.size === 0 || types.has('array'))) {
    const items = keywordOf(schema, root, 'items');
    return items === undefined ? value : (value as unknown[]).map((item) => coerce(item, items, root));
  }
  if (own === 'object' && (types.size === 0 || types.has('object'))) {
    return Object.fromEntries(
      Object.entries(value as object).map(([key, entry]) => [
        key,
        coerce(entry, propertySchema(schema, key, root), root),
      ]),
    );
  }
  if (types.size === 0 || types.has(own) || (own === 'integer' && types.has('number'))) return value;
  if (typeof value === 'string') return fromText(value, types, schema, root);
  // Null is not converted to text: many models send null for an optional argument.
  if (value !== null && types.has('string')) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value;
}

function fromText(text: string, types: ReadonlySet<string>, schema: Schema | undefined, root: Schema): unknown {
  const trimmed = text.trim();
  if ((types.has('number') || types.has('integer')) && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) {
    const number = Number(trimmed);
    // Written as it is, so that whoever reads the arguments can tell that it would change.
    if (roundedNumber(trimmed) !== undefined) return rawJson(trimmed);
    if (Number.isFinite(number)) return number;
  }
  if (types.has('boolean') && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if (types.has('null') && /^(null|none)$/i.test(trimmed)) return null;
  if ((types.has('array') && trimmed.startsWith('[')) || (types.has('object') && trimmed.startsWith('{'))) {
    const parsed = parseLoosely(trimmed);
    if (parsed !== undefined && types.has(typeOf(parsed))) return coerce(parsed, schema, root);
  }
  // Some models quote values that should not be quoted.
  return /^".*"$/.test(trimmed) && !types.has('string') ? fromText(trimmed.slice(1, -1), types, schema, root) : text;
}

/**
 * Parses JSON text, and repairs it if it is not valid. Returns undefined if that fails, or if the text is blank or nested
 * too deep. Integers that JavaScript would round become text.
 */
export function parseLoosely(text: string): unknown {
  if (text.trim() === '' || nesting(text) > PARSER_LIMITS.depth) return undefined;
  try {
    return parse(text);
  } catch {
    // Try a repair below.
  }
  if (/[：，｛｝［］【】＂“”]/.test(text)) {
    try {
      return parse(withNarrowSyntax(text));
    } catch {
      // Try a repair below.
    }
  }
  try {
    return parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

/** Parses JSON. Integers that would be rounded become text. Throws `SyntaxError`. */
const parse = (text: string): unknown => parseExactly(text, (source) => source);

/** Returns how deep the brackets in a text are nested, those in strings included. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '{' || character === '[' || character === '(') deepest = Math.max(deepest, ++depth);
    else if ((character === '}' || character === ']' || character === ')') && depth > 0) depth--;
  }
  return deepest;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function keywordOf(schema: Schema | undefined, root: Schema, keyword: string): Schema | undefined {
  for (const variant of variantsOf(schema, root)) {
    const value = variant[keyword];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Schema;
  }
  return undefined;
}

type SchemaObject = { readonly [keyword: string]: unknown };

/** A schema and all schemas that it references or is composed of; each only once, because schemas can be circular. */
function variantsOf(schema: Schema | undefined, root: Schema): SchemaObject[] {
  const found = new Set<SchemaObject>();
  const open: (Schema | undefined)[] = [schema];
  for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
    if (typeof next !== 'object' || next === null || found.has(next)) continue;
    found.add(next);
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      const parts = next[keyword];
      if (Array.isArray(parts)) open.push(...(parts as Schema[]));
    }
    if (typeof next.$ref === 'string') open.push(resolve(next.$ref, root));
  }
  return [...found];
}

function resolve(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const segment of reference.slice(1).split('/').filter(Boolean)) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[segment.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at as Schema | undefined;
}

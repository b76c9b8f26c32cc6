import { keywordsOf, type ObjectSchema, referencedSchema } from './json-schema.ts';

/** The deepest level of a schema that is described, which bounds schemas that refer to themselves. */
const DEPTH_MAX = 12;

/** The most parts of one schema that are described: references multiply them. */
const PARTS_MAX = 2_000;
/** The most characters of the descriptions and values in one schema that are kept: references multiply them. */
const CHARACTERS_MAX = 200_000;

type Keywords = { readonly [keyword: string]: unknown };

const wordsOf = (schema: unknown): Keywords => keywordsOf(schema) ?? {};

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;
type Type = (typeof TYPES)[number];

/** A schema with only the keywords that every model server accepts. */
interface PlainSchema {
  type: Type;
  description?: string;
  enum?: readonly (string | number | boolean)[];
  properties?: Record<string, PlainSchema>;
  required?: readonly string[];
  items?: PlainSchema;
}

/**
 * Returns the schema of a tool's arguments with only the keywords that every model server knows: type, description, enum,
 * properties, required, items. It may allow more than the original, which the arguments are checked against in the end. Of
 * alternatives, the first counts; a reference is replaced with the schema that it refers to. For a schema that is not that of
 * an object, returns that of an object without properties.
 */
export function plainSchema(schema: unknown): PlainSchema {
  let parts = 0;
  let characters = 0;
  const root = wordsOf(schema);

  const plain = (given: unknown, depth: number): PlainSchema => {
    const value = resolved(given, root);
    const described = typeof value.description === 'string' ? { description: value.description } : {};
    const type = typeOf(value);
    characters += JSON.stringify([described, value.enum ?? '']).length;
    if (++parts > PARTS_MAX || characters > CHARACTERS_MAX || depth > DEPTH_MAX) return { type };
    switch (type) {
      case 'object': {
        const properties = new Map(
          Object.entries(wordsOf(value.properties)).map(([name, one]) => [name, plain(one, depth + 1)]),
        );
        const required = Array.isArray(value.required) ? value.required.filter((name) => properties.has(name)) : [];
        return {
          type,
          ...described,
          properties: Object.fromEntries(properties),
          ...(required.length > 0 && { required }),
        };
      }
      case 'array': {
        const lists = [value.prefixItems, value.items].filter(Array.isArray);
        const item: unknown = lists.length > 0 ? lists[0]?.[0] : value.items;
        return { type, ...described, items: plain(item, depth + 1) };
      }
      default: {
        const values = (Array.isArray(value.enum) ? value.enum : 'const' in value ? [value.const] : []).filter(
          (one) => typeof one === (type === 'integer' ? 'number' : type),
        );
        return { type, ...described, ...(values.length > 0 && { enum: values }) };
      }
    }
  };

  const whole = plain(schema, 0);
  return whole.type === 'object' ? whole : { type: 'object', properties: {} };
}

/** A schema in which references and alternatives at its top are replaced with the schemas that they stand for. */
function resolved(given: unknown, root: Keywords): Keywords {
  let value = wordsOf(given);
  for (let step = 0; step < DEPTH_MAX; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = value;
    const all = (Array.isArray(allOf) ? allOf : []).map((part) => resolvedOnce(part, root));
    const options = [anyOf, oneOf].filter(Array.isArray).flat().map(wordsOf);
    const option = options.find((one) => Object.keys(one).length > 0 && one.type !== 'null');
    if (typeof $ref === 'string') value = { ...wordsOf(referencedSchema($ref, root)), ...rest };
    else if (all.length > 0) value = all.reduce(merged, rest);
    else if (option !== undefined) value = merged(option, rest);
    else return value;
  }
  return {};
}

const merged = (one: Keywords, other: Keywords): Keywords => ({
  ...one,
  ...other,
  ...((one.properties ?? other.properties) !== undefined && {
    properties: { ...wordsOf(one.properties), ...wordsOf(other.properties) },
    required: [...new Set([one.required, other.required].filter(Array.isArray).flat())],
  }),
});

/** A part of a schema; if it is a reference, the schema that it refers to. */
function resolvedOnce(part: unknown, root: Keywords): Keywords {
  const { $ref, ...rest } = wordsOf(part);
  return typeof $ref === 'string' ? { ...wordsOf(referencedSchema($ref, root)), ...rest } : rest;
}

function typeOf(value: Keywords): Type {
  const types = [value.type].flat().map((type) => String(type).toLowerCase());
  const named = TYPES.find((type) => types.includes(type));
  if (named !== undefined) return named;
  if (value.properties !== undefined) return 'object';
  if (value.items !== undefined || value.prefixItems !== undefined) return 'array';
  const [example] = Array.isArray(value.enum) ? value.enum : [value.const];
  return typeof example === 'number' || typeof example === 'boolean' ? (typeof example as Type) : 'string';
}

/** The results of `portableSchema` by original schema, since schemas go into each request, and never change. */
const portable = new WeakMap<ObjectSchema, ObjectSchema>();

/**
 * The schema of a tool's arguments as all providers accept it: the same object, or a copy without what makes some of them
 * refuse the whole request: alternatives in place of an object, schemas that are `true`, lists of schemas for items, arrays
 * without `items`, and unknown types. It may allow more than the original, which the arguments are checked against in the end.
 */
export function portableSchema(schema: ObjectSchema): ObjectSchema {
  const known = portable.get(schema);
  if (known !== undefined) return known;
  const { anyOf, oneOf, allOf, not, enum: values, const: constant, ...rest } = schema;
  const isPlain = [anyOf, oneOf, allOf, not, values, constant].every((word) => word === undefined);
  const whole = isPlain ? schema : { ...rest, properties: allProperties(schema) };
  const repaired = repair(whole, 0) as ObjectSchema;
  const result = repaired.properties === undefined ? { ...repaired, properties: {} } : repaired;
  // The same if nothing had to be repaired, so that whoever compares schemas by identity can go on.
  const sent = JSON.stringify(result) === JSON.stringify(schema) ? schema : result;
  portable.set(schema, sent);
  return sent;
}

/** The properties of a schema and of all alternatives at its top. */
function allProperties(schema: ObjectSchema): Keywords {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat().map(wordsOf);
  const resolvedParts = parts.map((part) =>
    typeof part.$ref === 'string' ? wordsOf(referencedSchema(part.$ref, schema)) : part,
  );
  return Object.assign({}, ...resolvedParts.map(({ properties }) => wordsOf(properties)), wordsOf(schema.properties));
}

const TYPE_NAMES: ReadonlySet<unknown> = new Set([...TYPES, 'null']);

/** Keywords whose value is an object with a schema for each name. */
const BY_NAME = ['properties', '$defs', 'definitions'] as const;
/** Keywords whose value is a list of schemas. */
const LISTS = ['anyOf', 'oneOf', 'allOf'] as const;

function repair(schema: unknown, depth: number): unknown {
  if (schema === true) return {};
  const value = keywordsOf(schema);
  if (value === undefined || depth > REPAIR_DEPTH_MAX) return schema;
  const inner = (one: unknown) => repair(one, depth + 1);
  const tuple = [value.prefixItems, value.items].find(Array.isArray);
  const types = [value.type].flat();
  const isArray = types.includes('array') || tuple !== undefined;
  const entries = Object.entries(value).flatMap(([word, given]): [string, unknown][] => {
    if (word === 'prefixItems' || (word === 'items' && tuple !== undefined)) return [];
    if (word === 'items') return [[word, inner(given === false ? true : given)]];
    if (word === 'type' && !types.every((one) => TYPE_NAMES.has(one))) {
      const known = types.filter((one) => TYPE_NAMES.has(one));
      return known.length === 0 ? [] : [[word, known]];
    }
    if (LISTS.some((one) => one === word) && Array.isArray(given)) return [[word, given.map(inner)]];
    if (!BY_NAME.some((one) => one === word) || keywordsOf(given) === undefined) return [[word, given]];
    return [[word, Object.fromEntries(Object.entries(wordsOf(given)).map(([name, one]) => [name, inner(one)]))]];
  });
  if (tuple !== undefined) entries.push(['items', tuple.length === 0 ? {} : { anyOf: tuple.map(inner) }]);
  else if (isArray && value.items === undefined) entries.push(['items', {}]);
  return Object.fromEntries(entries);
}

/** The deepest level that is repaired. Schemas of external tools are not nested deeper. */
const REPAIR_DEPTH_MAX = 64;

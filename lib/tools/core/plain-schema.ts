import { keywordsOf, type ObjectSchema, referencedSchema } from './json-schema.ts';

/** The deepest level of a schema that is described, which bounds schemas that refer to themselves. */
const DEPTH_MAX = 12;

/** The most parts of one schema that are described: references multiply them. */
const PARTS_MAX = 2_000;

type Keywords = { readonly [keyword: string]: unknown };

const wordsOf = (schema: unknown): Keywords => keywordsOf(schema) ?? {};

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'] as const;
type Type = (typeof TYPES)[number];

/** A schema of the kind that every server accepts. */
export interface PlainSchema {
  type: Type;
  description?: string;
  enum?: readonly (string | number | boolean)[];
  properties?: Record<string, PlainSchema>;
  required?: readonly string[];
  items?: PlainSchema;
}

/**
 * A JSON Schema in words that every server knows: types, descriptions, enumerations, properties, required ones, and items. It
 * allows more than the original, by which arguments are checked in the end. Of alternatives, the first one counts; a
 * reference is replaced with what it refers to.
 */
export function plainSchema(schema: unknown): PlainSchema {
  let parts = 0;
  const root = wordsOf(schema);

  const plain = (given: unknown, depth: number): PlainSchema => {
    const value = resolved(given, root);
    const described = typeof value.description === 'string' ? { description: value.description } : {};
    const type = typeOf(value);
    if (++parts > PARTS_MAX || depth > DEPTH_MAX) return { type, ...described };
    switch (type) {
      case 'object': {
        const properties = new Map(
          Object.entries(wordsOf(value.properties)).map(([name, one]) => [name, plain(one, depth + 1)]),
        );
        const required = Array.isArray(value.required) ? value.required.filter((name) => properties.has(name)) : [];
        return {
          ...{ type, ...described, properties: Object.fromEntries(properties) },
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

/** A schema without references and alternatives at its top. */
function resolved(given: unknown, root: Keywords): Keywords {
  let value = wordsOf(given);
  for (let step = 0; step < DEPTH_MAX; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = value;
    const all = Array.isArray(allOf) ? allOf.map(wordsOf) : [];
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
    required: [one.required, other.required].filter(Array.isArray).flat(),
  }),
});

function typeOf(value: Keywords): Type {
  const types = [value.type].flat().map((type) => String(type).toLowerCase());
  const named = TYPES.find((type) => types.includes(type));
  if (named !== undefined) return named;
  if (value.properties !== undefined) return 'object';
  if (value.items !== undefined || value.prefixItems !== undefined) return 'array';
  const [example] = Array.isArray(value.enum) ? value.enum : [value.const];
  return typeof example === 'number' || typeof example === 'boolean' ? (typeof example as Type) : 'string';
}

/** Schemas of arguments as they are sent, by the original: they go into each request, and never change. */
const portable = new WeakMap<object, object>();

/**
 * The schema of a tool's arguments as every provider takes it: itself, or a plain one if it has words that some of them refuse
 * together with all other tools of a request. These are references, schemas that are true or false, lists of schemas for
 * items, unknown types, and alternatives in place of an object.
 */
export function portableSchema(schema: ObjectSchema): ObjectSchema {
  const known = portable.get(schema);
  if (known !== undefined) return known as ObjectSchema;
  const isPortable = !ALTERNATIVES.some((word) => word in schema) && isPortableIn(schema, 0);
  const sent = isPortable ? { ...schema, properties: schema.properties ?? {} } : plainSchema(schema);
  // One that has its properties stays the object that it is.
  const result = isPortable && schema.properties !== undefined ? schema : sent;
  portable.set(schema, result);
  return result as ObjectSchema;
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'] as const;

/** Keywords that some providers refuse wherever they stand. */
const REFUSED = ['$ref', '$dynamicRef', '$defs', 'definitions', 'prefixItems', 'if', 'patternProperties'] as const;

const TYPE_NAMES: ReadonlySet<unknown> = new Set([...TYPES, 'null', undefined]);

function isPortableIn(schema: unknown, depth: number): boolean {
  const value = keywordsOf(schema);
  if (value === undefined || depth > DEPTH_MAX || REFUSED.some((word) => word in value)) return false;
  if (![value.type].flat().every((type) => TYPE_NAMES.has(type)) || Array.isArray(value.items)) return false;
  const inner = [...Object.values(wordsOf(value.properties)), ...('items' in value ? [value.items] : [])];
  const alternatives = [value.anyOf, value.oneOf, value.allOf].filter(Array.isArray).flat();
  return [...inner, ...alternatives].every((one) => isPortableIn(one, depth + 1));
}

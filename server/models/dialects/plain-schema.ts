import { type Fields, fieldsOf, isFilled, textOf } from './fields.ts';

/** The deepest level of a schema that is described, which bounds schemas that refer to themselves. */
const DEPTH_MAX = 12;

/** The most parts of one schema that are described: references multiply them. */
const PARTS_MAX = 2_000;

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
  const root = fieldsOf(schema);

  const plain = (given: unknown, depth: number): PlainSchema => {
    const value = resolved(given, root);
    const described = textOf(value.description) === '' ? {} : { description: textOf(value.description) };
    const type = typeOf(value);
    if (++parts > PARTS_MAX || depth > DEPTH_MAX) return { type, ...described };
    switch (type) {
      case 'object': {
        const properties = new Map(
          Object.entries(fieldsOf(value.properties)).map(([name, one]) => [name, plain(one, depth + 1)]),
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
function resolved(given: unknown, root: Fields): Fields {
  let value = fieldsOf(given);
  for (let step = 0; step < DEPTH_MAX; step++) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = value;
    const all = Array.isArray(allOf) ? allOf.map(fieldsOf) : [];
    const options = [anyOf, oneOf].filter(Array.isArray).flat().map(fieldsOf);
    const option = options.find((one) => isFilled(one) && one.type !== 'null');
    if (textOf($ref) !== '') value = { ...referred(textOf($ref), root), ...rest };
    else if (all.length > 0) value = all.reduce(merged, rest);
    else if (option !== undefined) value = merged(option, rest);
    else return value;
  }
  return {};
}

const merged = (one: Fields, other: Fields): Fields => ({
  ...one,
  ...other,
  ...((one.properties ?? other.properties) !== undefined && {
    properties: { ...fieldsOf(one.properties), ...fieldsOf(other.properties) },
    required: [one.required, other.required].filter(Array.isArray).flat(),
  }),
});

/** The part of a schema that a reference such as `#/$defs/node` names. */
function referred(reference: string, root: Fields): Fields {
  if (!reference.startsWith('#')) return {};
  const names = reference.split('/').slice(1);
  return names.reduce<Fields>((value, name) => fieldsOf(value[name.replaceAll('~1', '/').replaceAll('~0', '~')]), root);
}

function typeOf(value: Fields): Type {
  const named = [value.type].flat().find((type) => TYPES.some((one) => one === type)) as Type | undefined;
  if (named !== undefined) return named;
  if (value.properties !== undefined) return 'object';
  if (value.items !== undefined || value.prefixItems !== undefined) return 'array';
  const [example] = Array.isArray(value.enum) ? value.enum : [value.const];
  return typeof example === 'number' || typeof example === 'boolean' ? (typeof example as Type) : 'string';
}

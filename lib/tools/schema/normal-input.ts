import { keywordsOf, propertiesOf, schemasIn } from './json-schema.ts';

/** The depth to which arguments are normalized, in levels; deeper values stay as they are. */
const MAX_DEPTH = 20;

/** The treatment of arguments that the schema does not declare. Tools of the studio ignore them, others may not. */
type Undeclared = 'kept' | 'left-out';

/**
 * Returns a call's arguments in a form in which calls that do the same look the same: null is left out, defaults are filled
 * in, and arguments that the schema does not provide for are left out unless `undeclared` is `kept`. Undefined if the
 * arguments are not an object. Needs no validator, so a foreign schema cannot make it slow.
 */
export function normalInput(
  input: unknown,
  schema: unknown,
  undeclared: Undeclared = 'left-out',
): Readonly<Record<string, unknown>> | undefined {
  const given = keywordsOf(input);
  return given === undefined ? undefined : normalObject(given, schema, undeclared, 0);
}

function normalObject(
  given: Readonly<Record<string, unknown>>,
  schema: unknown,
  undeclared: Undeclared,
  depth: number,
) {
  const properties = propertiesOf(schema);
  const { additionalProperties } = keywordsOf(schema) ?? {};
  const isOpen =
    undeclared === 'kept' ||
    properties.size === 0 ||
    additionalProperties === true ||
    keywordsOf(additionalProperties) !== undefined;
  const entries = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    // Models send null for what they omit.
    if (value === null || (!isOpen && !properties.has(name))) continue;
    entries.set(name, normalValue(value, properties.get(name) ?? additionalProperties, undeclared, depth + 1));
  }
  for (const [name, property] of properties) {
    const { default: value } = keywordsOf(property) ?? {};
    if (value !== undefined && !entries.has(name)) entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

function normalValue(value: unknown, schema: unknown, undeclared: Undeclared, depth: number): unknown {
  if (depth > MAX_DEPTH || schemasIn(schema, 'anyOf').length > 0) return value;
  if (Array.isArray(value)) {
    const { items } = keywordsOf(schema) ?? {};
    return value.map((item) => normalValue(item, items, undeclared, depth + 1));
  }
  const object = keywordsOf(value);
  return object === undefined || keywordsOf(schema) === undefined
    ? value
    : normalObject(object, schema, undeclared, depth);
}

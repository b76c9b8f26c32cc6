/** A JSON Schema of any draft, as data that may come from anyone. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** The schema of an object, such as a tool's arguments. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** Checks whether a value is the schema of an object. The schemas within it are not checked. */
export function isObjectSchema(value: unknown): value is ObjectSchema {
  const { type, properties = {}, required = [] } = keywordsOf(value) ?? {};
  const isNamed = Array.isArray(required) && required.every((name) => typeof name === 'string');
  return type === 'object' && keywordsOf(properties) !== undefined && isNamed;
}

/** A schema as an object whose keywords can be read; undefined for `true`, `false` and anything that is no schema. */
export const keywordsOf = (schema: unknown): { readonly [keyword: string]: unknown } | undefined =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema)
    ? (schema as { readonly [keyword: string]: unknown })
    : undefined;

/** The schemas of an object's properties, by name; empty if it declares none. */
export const propertiesOf = (schema: unknown): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(keywordsOf(keywordsOf(schema)?.properties) ?? {}));

/** The list of schemas that a schema has under a keyword such as `anyOf`; empty if it has no such list. */
export function schemasIn(schema: unknown, keyword: string): readonly unknown[] {
  const list = keywordsOf(schema)?.[keyword];
  return Array.isArray(list) ? list : [];
}

/** The names of the properties that an object's schema requires; empty if there are none. */
export const requiredOf = (schema: unknown): readonly string[] =>
  schemasIn(schema, 'required').filter((name) => typeof name === 'string');

/**
 * Returns the schema within `root` that a reference such as `#/$defs/place` stands for; undefined if the reference leads out
 * of `root`, or to nothing.
 */
export function referencedSchema(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined;
  let at = root;
  for (const segment of reference.slice(1).split('/').filter(Boolean)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as { readonly [key: string]: unknown })[name];
  }
  return at;
}

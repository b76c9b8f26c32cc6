import { type JsonSchema, keywordsOf } from '#lib/tools/schema/json-schema.ts';
import { REST_LIMITS } from '../limits.ts';
import { type Node, resolved } from './document.ts';
import { DocumentError } from './document-error.ts';

/** Keywords that are copied as they are. Those that only describe responses or documentation are left out. */
const KEPT: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'multipleOf', 'default', 'title', 'description', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'contentEncoding', 'contentMediaType'],
]);

/** Keywords whose value is a schema. */
const SCHEMA: ReadonlySet<string> = new Set([
  ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);

/** Keywords whose value is a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Keywords whose value has a schema for each name. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/**
 * Turns the schemas of one operation's request into JSON Schema. A schema that a reference leads to is kept once, under a name
 * of its own in `definitions`, so that schemas may refer to themselves. Properties that only responses have (`readOnly`) are
 * left out.
 */
export class SchemaReader {
  readonly #root: Node;
  readonly #names = new Map<string, string>();
  readonly #schemas = new Map<string, JsonSchema>();
  /** Targets of references that have not been read yet. They are read one by one, however long the chain is. */
  readonly #waiting: [name: string, schema: unknown][] = [];
  #size = 0;

  constructor(root: Node) {
    this.#root = root;
  }

  /**
   * Returns the schemas to which `read` found references, by name; undefined if there are none. Must be called after the last
   * `read`. Throws `DocumentError`, like `read`.
   */
  definitions(): Record<string, JsonSchema> | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#schemas.set(next[0], this.read(next[1]));
    return this.#schemas.size === 0 ? undefined : Object.fromEntries(this.#schemas);
  }

  /**
   * Returns a schema as JSON Schema. Throws `DocumentError` for references that cannot be followed, and for too many schemas.
   */
  read(schema: unknown): JsonSchema {
    if (++this.#size > REST_LIMITS.schemas) throw new DocumentError('Its arguments are described by too many schemas.');
    const keywords = keywordsOf(schema);
    if (keywords === undefined) return schema !== false;
    if (typeof keywords.$ref === 'string') return this.#reference(keywords);
    const entries = Object.entries(keywords).flatMap(([keyword, value]): [string, unknown][] => {
      if (KEPT.has(keyword)) return [[keyword, value]];
      if (SCHEMA.has(keyword)) return [[keyword, this.read(value)]];
      if (SCHEMAS.has(keyword) && Array.isArray(value)) return [[keyword, value.map((one) => this.read(one))]];
      const named = NAMED.has(keyword) ? keywordsOf(value) : undefined;
      return named === undefined ? [] : [[keyword, this.#named(named)]];
    });
    return modern(keywords, Object.fromEntries(entries), this.#readOnly(keywords));
  }

  #named(schemas: Node): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(schemas)
        .filter(([, schema]) => !isReadOnly(schema))
        .map(([name, schema]) => [name, this.read(schema)]),
    );
  }

  /** Returns the names of the properties that only responses have. */
  #readOnly({ properties }: Node): ReadonlySet<string> {
    const all = Object.entries(keywordsOf(properties) ?? {});
    return new Set(all.filter(([, schema]) => isReadOnly(schema)).map(([name]) => name));
  }

  #reference(keywords: Node): JsonSchema {
    const { node, reference = '' } = resolved(this.#root, keywords);
    let name = this.#names.get(reference);
    if (name === undefined) {
      name = this.#nameFor(reference);
      this.#names.set(reference, name);
      this.#schemas.set(name, true);
      this.#waiting.push([name, node]);
    }
    const { description } = keywords;
    return { $ref: `#/$defs/${name}`, ...(typeof description === 'string' && { description }) };
  }

  #nameFor(reference: string): string {
    const plain = (reference.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_]+/g, '_').slice(0, 60) || 'schema';
    for (let count = 1; ; count++) {
      const name = count === 1 ? plain : `${plain}_${count}`;
      if (!this.#schemas.has(name)) return name;
    }
  }
}

const isReadOnly = (schema: unknown): boolean => keywordsOf(schema)?.readOnly === true;

/**
 * Changes `schema` where OpenAPI 3.0 differs from JSON Schema, and returns it. `from`: the keywords as the document has them.
 * `readOnly`: the properties that only responses have, which are removed from `required`.
 */
function modern(from: Node, schema: Record<string, unknown>, readOnly: ReadonlySet<string>): JsonSchema {
  const { required, type } = schema;
  if (Array.isArray(required))
    schema.required = required.filter((name) => typeof name === 'string' && !readOnly.has(name));
  else delete schema.required;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (isExclusive && schema[bound] !== undefined) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    }
  }
  if (from.nullable === true && typeof type === 'string') schema.type = [type, 'null'];
  if (from.nullable === true && Array.isArray(schema.enum) && !schema.enum.includes(null))
    schema.enum = [...schema.enum, null];
  return schema;
}

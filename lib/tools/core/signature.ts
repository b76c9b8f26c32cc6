import { keywordsOf, propertiesOf, referencedSchema, requiredOf } from './json-schema.ts';
import type { ToolSpec } from './spec.ts';

/** How deep a signature goes; what lies deeper is `any`. Schemas from elsewhere may refer to themselves. */
const MAX_DEPTH = 8;

/** A tool's arguments in brief, like a TypeScript type: `{ path: string, limit?: integer }`. */
export const inputSignature = ({ inputSchema }: Pick<ToolSpec, 'inputSchema'>): string =>
  signatureOf(inputSchema, inputSchema, 0);

function signatureOf(schema: unknown, root: unknown, depth: number): string {
  const keywords = keywordsOf(schema);
  if (keywords === undefined || depth > MAX_DEPTH) return 'any';
  const within = (inner: unknown): string => signatureOf(inner, root, depth + 1);
  const { enum: values, const: value, type, items, additionalProperties, $ref } = keywords;
  if (typeof $ref === 'string') return within(referencedSchema($ref, root));
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((entry) => JSON.stringify(entry)).join(' | ');
  const branches = keywords.anyOf ?? keywords.oneOf;
  if (Array.isArray(branches)) return branches.map(within).join(' | ');
  if (type === 'array') {
    const tuple = Array.isArray(keywords.prefixItems) ? keywords.prefixItems : items;
    if (Array.isArray(tuple)) return `[${tuple.map(within).join(', ')}]`;
    return `(${within(items)})[]`.replace(/^\((\w+)\)/, '$1');
  }
  if (type !== 'object') return typeNames(type).join(' | ');
  if (keywords.properties === undefined && keywordsOf(additionalProperties) !== undefined)
    return `{ [name]: ${within(additionalProperties)} }`;
  const required = new Set(requiredOf(schema));
  const entries = Array.from(
    propertiesOf(schema),
    ([name, property]) => `${name}${required.has(name) ? '' : '?'}: ${within(property)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function typeNames(type: unknown): string[] {
  const names = [type].flat().filter((name) => typeof name === 'string');
  return names.length === 0 ? ['any'] : names;
}

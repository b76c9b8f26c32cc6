import type { ToolSpec } from '../core/spec.ts';
import { keywordsOf, propertiesOf, referencedSchema, requiredOf } from './json-schema.ts';

/** The depth of a signature; a deeper schema is `any`, and so is a schema within itself. */
const MAX_DEPTH = 8;

/** The most schemas that a signature writes out: a schema of an external tool may refer to others many times. */
const MAX_SCHEMAS = 1_000;

/** The state of a signature that is being written. */
interface Writing {
  root: unknown;
  /** The schemas that contain the current one, outermost first. */
  around: readonly unknown[];
  /** The number of schemas that may still be written out, in the whole signature. */
  budget: { left: number };
}

/** A tool's arguments in brief, like a TypeScript type: `{ path: string, limit?: integer }`. */
export const inputSignature = ({ inputSchema }: Pick<ToolSpec, 'inputSchema'>): string =>
  signatureOf(inputSchema, { root: inputSchema, around: [], budget: { left: MAX_SCHEMAS } });

function signatureOf(schema: unknown, { root, around, budget }: Writing): string {
  const keywords = keywordsOf(schema);
  if (budget.left-- <= 0 || keywords === undefined || around.length > MAX_DEPTH || around.includes(schema))
    return 'any';
  const within = (inner: unknown): string => signatureOf(inner, { root, around: [...around, schema], budget });
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
  const entries: string[] = [];
  for (const [name, property] of propertiesOf(schema)) {
    if (budget.left <= 0) {
      entries.push('…');
      break;
    }
    entries.push(`${name}${required.has(name) ? '' : '?'}: ${within(property)}`);
  }
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function typeNames(type: unknown): string[] {
  const names = [type].flat().filter((name) => typeof name === 'string');
  return names.length === 0 ? ['any'] : names;
}

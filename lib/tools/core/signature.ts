import type * as z from 'zod';
import { type AnyToolDefinition, toolInputJsonSchema } from './registry.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A tool's arguments in brief, like a TypeScript type: `{ path: string, limit?: integer }`. */
export function inputSignature(tool: AnyToolDefinition): string {
  return signatureOf(toolInputJsonSchema(tool));
}

function signatureOf(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'any';
  const { enum: values, const: value, type, items, properties, additionalProperties } = schema;
  const branches = schema.anyOf ?? schema.oneOf;
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined) return values.map((entry) => JSON.stringify(entry)).join(' | ');
  if (branches !== undefined) return branches.map(signatureOf).join(' | ');
  if (type === 'array')
    return `(${signatureOf(Array.isArray(items) ? items[0] : items)})[]`.replace(/^\((\w+)\)/, '$1');
  if (type !== 'object') return [type ?? 'any'].flat().join(' | ');
  if (properties === undefined && typeof additionalProperties === 'object')
    return `{ [name]: ${signatureOf(additionalProperties)} }`;
  const required = new Set(schema.required);
  const entries = Object.entries(properties ?? {}).map(
    ([name, property]) => `${name}${required.has(name) ? '' : '?'}: ${signatureOf(property)}`,
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

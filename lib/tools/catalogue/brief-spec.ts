import type { ToolSpec } from '../core/spec.ts';
import { keywordsOf, requiredOf } from '../schema/json-schema.ts';

/** Keywords that a model does not need in a schema; the executor checks arguments with the original. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
]);

/** Keywords whose value is an object with a schema for each name. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** The first sentence of a tool's description; all of it if it has no full stop. */
export const firstSentence = ({ description }: Pick<ToolSpec, 'description'>): string =>
  /^.*?\.(?=\s|$)/s.exec(description)?.[0] ?? description;

/**
 * Returns a tool's spec, which describes it as data, for models with little room: with the first sentence of its description,
 * and with a schema of its arguments without descriptions, defaults, limits, and the like.
 */
export const briefSpec = (tool: ToolSpec): ToolSpec => ({
  ...tool,
  description: firstSentence(tool),
  inputSchema: briefSchema(tool.inputSchema) as ToolSpec['inputSchema'],
});

/**
 * Returns a tool's spec, for a short list of tools in a prompt, with only its required arguments, and the one that a one-line
 * card shows (`presentation.target`).
 */
export function essentialSpec(tool: ToolSpec): ToolSpec {
  const { inputSchema, presentation } = tool;
  const kept = new Set([...requiredOf(inputSchema), presentation.target]);
  const properties = Object.entries(inputSchema.properties ?? {}).filter(([name]) => kept.has(name));
  return { ...tool, inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) } };
}

function briefSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(briefSchema);
  const keywords = keywordsOf(schema);
  if (keywords === undefined) return schema;
  const kept = Object.entries(keywords).filter(([keyword]) => !ANNOTATIONS.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'enum' || keyword === 'const') return [keyword, value];
      if (!NAMED.has(keyword)) return [keyword, briefSchema(value)];
      const named = Object.entries(keywordsOf(value) ?? {});
      return [keyword, Object.fromEntries(named.map(([name, member]) => [name, briefSchema(member)]))];
    }),
  );
}

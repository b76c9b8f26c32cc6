import type { McpDefinition } from './definition.ts';

/** All that a server says about a tool, line by line. Whatever is in it may be anything: show it so that all can be seen. */
export function definitionText({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: McpDefinition): string {
  return [
    ...(title === undefined ? [name] : [name, title]),
    description,
    JSON.stringify({ inputSchema, outputSchema, annotations }, undefined, 2),
  ].join('\n');
}

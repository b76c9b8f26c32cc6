import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';

/** All that is said about a tool, line by line. Whatever is in it may be anything: show it so that all can be seen. */
export function definitionText({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
  origin,
}: ExternalDefinition): string {
  return [
    ...(title === undefined ? [name] : [name, title]),
    ...(origin === undefined ? [] : [origin]),
    description,
    JSON.stringify({ annotations, inputSchema, outputSchema }, undefined, 2),
  ].join('\n');
}

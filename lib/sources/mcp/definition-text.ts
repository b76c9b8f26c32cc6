import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';

/**
 * Writes everything about a tool's definition as text, for a person to check. The text may contain any characters of the
 * server's, so callers must show it so that none is hidden.
 */
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

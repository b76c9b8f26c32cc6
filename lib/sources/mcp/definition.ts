import { startOf } from '#lib/base/cut-text.ts';
import { defined } from '#lib/base/defined.ts';
import { excessOf } from '#lib/base/json-size.ts';
import { type ExternalDefinition, type RefusedTool, withHash } from '#lib/tools/catalogue/external-definition.ts';
import { isObjectSchema, type ObjectSchema } from '#lib/tools/schema/json-schema.ts';
import { MCP_LIMITS } from './limits.ts';

/** A tool as its server lists it. Anything may be in it: a server is not ours. */
export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: unknown;
  outputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
}

/** The definition of a server's tool that can be offered. */
export type McpDefinition = ExternalDefinition;

/** Matches names with only the characters that the protocol recommends. Other characters could be mistaken for these. */
const NAME = /^[A-Za-z0-9_.-]+$/;

/**
 * Makes definitions of the tools that a server lists. Those that cannot be offered are in `refused`, with the reason. `origin`:
 * the server's whole URL, which becomes part of the definitions and their hashes; absent for a server that is a program.
 */
export async function readDefinitions(
  listed: readonly ListedTool[],
  origin?: string,
): Promise<{ tools: McpDefinition[]; refused: RefusedTool[] }> {
  const tools: McpDefinition[] = [];
  const refused: RefusedTool[] = [];
  const names = new Set<string>();
  let length = 0;
  for (const tool of listed) {
    let reason = names.has(tool.name)
      ? 'The server lists this name twice.'
      : tools.length >= MCP_LIMITS.tools
        ? `Only the first ${MCP_LIMITS.tools} tools of a server are offered.`
        : problemOf(tool);
    names.add(tool.name);
    if (reason === undefined) {
      const described = describe(tool);
      length += JSON.stringify(described).length;
      if (length <= MCP_LIMITS.listing) tools.push(await withHash({ ...described, ...defined({ origin }) }));
      else reason = `The server’s tools together have more than ${MCP_LIMITS.listing} characters.`;
    }
    if (reason !== undefined && refused.length < MCP_LIMITS.tools)
      refused.push({ name: tool.name.slice(0, MCP_LIMITS.name), reason });
  }
  return { tools, refused };
}

/**
 * Returns the reason why an entry of a server's list is not examined: it is nested too deeply, or has too many values.
 * Undefined if neither is so.
 */
export function excessReason(entry: unknown): string | undefined {
  const excess = excessOf(entry, MCP_LIMITS);
  if (excess === undefined) return undefined;
  return excess === 'depth'
    ? `Its schema is nested more than ${MCP_LIMITS.depth} levels deep.`
    : `Its schema has more than ${MCP_LIMITS.values} values.`;
}

function problemOf(tool: ListedTool): string | undefined {
  const { name, inputSchema, outputSchema } = tool;
  if (name.length > MCP_LIMITS.name) return `Its name has more than ${MCP_LIMITS.name} characters.`;
  if (!NAME.test(name)) return 'Its name may only contain the letters A to Z, digits, and the signs _ . and -.';
  const excess = excessReason(tool);
  if (excess !== undefined) return excess;
  if (JSON.stringify({ inputSchema, outputSchema }).length > MCP_LIMITS.definition)
    return `Its schema has more than ${MCP_LIMITS.definition} characters.`;
  if (!isObjectSchema(inputSchema)) return 'Its arguments are not described by a JSON Schema of the type “object”.';
  return undefined;
}

function describe(tool: ListedTool): Omit<McpDefinition, 'hash'> {
  const { name, title, description = '', inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    ...(title !== undefined && title.trim() !== '' && { title: startOf(title, MCP_LIMITS.name) }),
    description: cut(description),
    inputSchema: inputSchema as ObjectSchema,
    ...(isObjectSchema(outputSchema) && { outputSchema }),
    ...defined({ annotations }),
    isDestructive: annotations?.readOnlyHint !== true && annotations?.destructiveHint === true,
  };
}

const cut = (text: string): string =>
  text.length <= MCP_LIMITS.description
    ? text
    : `${startOf(text, MCP_LIMITS.description)}\n[The rest of this description was cut.]`;

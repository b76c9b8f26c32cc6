import { messageOf } from '#lib/base/message-of.ts';
import { pause } from '#lib/base/pause.ts';
import type { RefusedTool } from '#lib/tools/core/external-definition.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { isReservedName } from '#lib/tools/tool-search/finders.ts';
import type { McpDefinition } from './definition.ts';
import { type CallMcpTool, mcpTool } from './mcp-tool.ts';
import { toolNameOf } from './server-config.ts';
import type { McpListing } from './server-lists.ts';

/** A server's tool that is on offer, and how the server describes it. */
export interface OfferedTool {
  definition: McpDefinition;
  tool: Tool;
}

/** The tools of a server that are on offer, by the server's name for them. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

export interface OfferOptions {
  /** The name of the server. */
  server: string;
  /** Where it is; undefined if it is not reached by requests. */
  url: string | undefined;
  /** The tools that it offered before. */
  before: OfferedTools;
  /** The tool that has a name now, whoever offers it. */
  present(toolName: string): Tool | undefined;
  call: CallMcpTool;
}

/** For how long tools are built before others get a turn, in milliseconds. */
const TURN_MS = 30;

/**
 * The tools of a server's list that can be offered, and those that cannot, with the reason. Tools that have not changed are
 * the same ones as before.
 */
export async function offeredTools(
  listing: Pick<McpListing, 'tools' | 'refused'> | undefined,
  { server, url, before, present, call }: OfferOptions,
): Promise<{ tools: OfferedTools; refused: RefusedTool[] }> {
  const tools = new Map<string, OfferedTool>();
  const refused = [...(listing?.refused ?? [])];
  const own = new Set([...before.values()].map(({ tool }) => tool));
  let turn = performance.now();
  for (const definition of listing?.tools ?? []) {
    // Reading a schema from elsewhere may take a while.
    if (performance.now() - turn > TURN_MS) {
      await pause();
      turn = performance.now();
    }
    const { name, hash } = definition;
    const known = before.get(name);
    const toolName = toolNameOf(server, name);
    const holder = present(toolName);
    try {
      if (known?.definition.hash === hash) tools.set(name, known);
      else if (isReservedName(toolName) || (holder !== undefined && !own.has(holder)))
        refused.push({ name, reason: 'Another tool has this name.' });
      else tools.set(name, { definition, tool: mcpTool(server, definition, call, url) });
    } catch (error) {
      refused.push({ name, reason: messageOf(error) });
    }
  }
  return { tools, refused };
}

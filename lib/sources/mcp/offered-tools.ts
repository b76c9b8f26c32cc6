import type { OfferedTools, ToolOffer } from '#lib/sources/tool-offer.ts';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { McpDefinition } from './definition.ts';
import { type CallMcpTool, mcpTool } from './mcp-tool.ts';
import { toolNameOf } from './server-config.ts';
import type { McpListing } from './server-lists.ts';

export interface OfferOptions {
  /** The name of the server. */
  server: string;
  /** The server's address; undefined if it is not reached by HTTP. */
  url: string | undefined;
  call: CallMcpTool;
}

/**
 * Makes the tools of a server's list, for `offer.replace`, which then offers them. Tools of unchanged definitions stay the same
 * objects. Also returns the tools that cannot be offered, with the reasons. Without a `listing`, there are none.
 */
export async function offeredTools(
  offer: ToolOffer<McpDefinition>,
  listing: Pick<McpListing, 'tools' | 'refused'> | undefined,
  { server, url, call }: OfferOptions,
): Promise<{ tools: OfferedTools<McpDefinition>; refused: RefusedTool[] }> {
  const { tools, refused } = await offer.prepare(listing?.tools ?? [], {
    nameOf: ({ name }) => toolNameOf(server, name),
    make: (definition) => mcpTool(server, definition, call, url),
  });
  return { tools, refused: [...(listing?.refused ?? []), ...refused] };
}

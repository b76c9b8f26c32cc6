import { toolNameOf } from '#lib/sources/mcp/server-config.ts';
import type { OfferedTools, ToolOffer } from '#lib/sources/tool-offer.ts';
import type { RefusedTool } from '#lib/tools/catalogue/external-definition.ts';
import type { RestApi } from './api.ts';
import { definitionsOf } from './definition.ts';
import { type CallRestTool, restTool } from './rest-tool.ts';

/**
 * Makes the tools of an API, for `offer.replace`, which then offers them. Tools of unchanged definitions stay the same objects.
 * Also returns the tools that cannot be offered, with the reasons. `call`: sends a call of one of the tools to the API.
 */
export async function offeredApiTools(
  offer: ToolOffer,
  api: RestApi,
  call: CallRestTool,
): Promise<{ tools: OfferedTools; refused: RefusedTool[] }> {
  const described = await definitionsOf(api);
  const { tools, refused } = await offer.prepare(
    described.tools.map(({ definition }) => definition),
    {
      nameOf: ({ name }) => toolNameOf(api.name, name),
      make: (definition) => restTool(api, definition, call),
    },
  );
  return { tools, refused: [...described.refused, ...refused] };
}

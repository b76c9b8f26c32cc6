import { defined } from '#lib/base/defined.ts';
import { toolNameOf } from '#lib/sources/mcp/server-config.ts';
import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import type { Tool, ToolContext } from '#lib/tools/core/tool.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { HTTP_API, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { RestApi } from './api.ts';
import { isReading } from './api-tool.ts';
import type { RestOutcome } from './outcome.ts';

/** Calls a tool of an HTTP API. Never rejects: a failure is an outcome, too. */
export type CallRestTool = (
  definition: ExternalDefinition,
  args: Readonly<Record<string, unknown>>,
  context: Pick<ToolContext, 'abortSignal' | 'toolCallId'>,
) => Promise<RestOutcome>;

/**
 * Makes a tool for the registry from the definition of an API's tool. It counts as one that only reads if its method is `GET`
 * or `HEAD`. `call`: sends a call to the API. Throws `ToolDefinitionError` if the tool cannot be offered.
 */
export function restTool(
  api: Pick<RestApi, 'name' | 'baseUrl' | 'tools'>,
  definition: ExternalDefinition,
  call: CallRestTool,
): Tool {
  const { name, title, description, inputSchema, isDestructive, hash } = definition;
  const isRead = api.tools.some((tool) => tool.name === name && isReading(tool));
  return externalTool({
    name: toolNameOf(api.name, name),
    toolset: toolsetOf(HTTP_API, api.name),
    effect: isRead ? 'read' : 'execute',
    ...(isDestructive && { destructive: true }),
    description,
    inputSchema,
    sendsTo: [hostOf(new URL(api.baseUrl))],
    metadata: { ...defined({ title }), definition: hash },
    async execute(input, context) {
      const outcome = await call(definition, input as Readonly<Record<string, unknown>>, context);
      if (outcome.type === 'failure') throw new ToolFailure(outcome.code, outcome.message);
      const { content, data } = outcome;
      return { content, ...defined({ data }) };
    },
  });
}

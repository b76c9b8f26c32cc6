import { defined } from '#lib/base/defined.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import type { Tool, ToolContext } from '#lib/tools/core/tool.ts';
import { ToolFailure } from '#lib/tools/core/tool-call.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { McpDefinition } from './definition.ts';
import type { McpOutcome } from './result.ts';
import { toolNameOf } from './server-config.ts';

/** Calls a tool of a tool server. Never rejects: a failure is an outcome, too. */
export type CallMcpTool = (
  definition: McpDefinition,
  args: Record<string, unknown>,
  context: Pick<ToolContext, 'abortSignal' | 'report' | 'askForm' | 'toolCallId'>,
) => Promise<McpOutcome>;

/**
 * Makes a tool for the registry from the definition of a server's tool. Whatever the server says about the tool, it counts
 * as one with effects: a call that was interrupted, such as by a reload, is not run again, and a call asks unless the user
 * has allowed the tool. `url`: the server's address, if it is reached by HTTP. Throws `ToolDefinitionError` if the tool
 * cannot be offered.
 */
export function mcpTool(serverName: string, definition: McpDefinition, call: CallMcpTool, url?: string): Tool {
  const { name, title, description, inputSchema, outputSchema, isDestructive, hash } = definition;
  return externalTool({
    name: toolNameOf(serverName, name),
    toolset: toolsetOf(TOOL_SERVER, serverName),
    effect: 'execute',
    ...(isDestructive && { destructive: true }),
    description: description === '' ? (title ?? '') : description,
    inputSchema,
    ...(url !== undefined && { sendsTo: [hostOf(new URL(url))] }),
    ...defined({ outputSchema }),
    metadata: { ...defined({ title }), definition: hash },
    async execute(input, context) {
      const outcome = await call(definition, input as Record<string, unknown>, context);
      if (outcome.type === 'failure') throw new ToolFailure(outcome.code, outcome.message);
      const { content, data } = outcome;
      return { content, ...defined({ data }) };
    },
  });
}

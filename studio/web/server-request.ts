import type { McpOutcome } from '#lib/mcp/result.ts';
import type { EgressRequest } from '#lib/tools/core/egress.ts';
import { hostOf } from '#lib/tools/core/reached-hosts.ts';

/**
 * A call of a tool server as a request: how much its arguments and its outcome are, as JSON in characters. What a server says
 * about a failure may be anything, so only its kind is taken down.
 */
export const serverRequest = (url: string, args: unknown, outcome: McpOutcome): EgressRequest => ({
  host: hostOf(new URL(url)),
  sent: JSON.stringify(args).length,
  received: JSON.stringify(outcome).length,
  ...(outcome.type === 'failure' && { refused: outcome.problem?.code ?? outcome.code }),
});

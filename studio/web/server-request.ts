import type { McpOutcome } from '#lib/mcp/result.ts';
import type { EgressRequest } from '#lib/tools/core/egress.ts';
import { hostOf } from '#lib/tools/core/reached-hosts.ts';

/** A call of a tool server as a request: how much its arguments and its outcome are, as JSON in characters. */
export const serverRequest = (url: string, args: unknown, outcome: McpOutcome): EgressRequest => ({
  host: hostOf(new URL(url)),
  sent: JSON.stringify(args).length,
  received: JSON.stringify(outcome).length,
  ...(outcome.type === 'failure' && { refused: outcome.message }),
});

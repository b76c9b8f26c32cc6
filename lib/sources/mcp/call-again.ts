import type { McpDefinition } from './definition.ts';
import type { McpOutcome } from './result.ts';

/**
 * Checks whether a failed call may be made again on a new connection: the server has said that it did not run it, or the tool
 * only reads. `isSure`: whether a server that has lost a connection certainly did not run the call.
 */
export function mayCallAgain(
  outcome: McpOutcome,
  { annotations }: Pick<McpDefinition, 'annotations'>,
  { isSure = false } = {},
): boolean {
  if (outcome.type === 'output' || outcome.isDisconnected !== true) return false;
  const onlyReads = (annotations as { readOnlyHint?: unknown } | undefined)?.readOnlyHint === true;
  return outcome.wasSent === 'not-run' || onlyReads || isSure;
}

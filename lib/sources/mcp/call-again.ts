import type { McpDefinition } from './definition.ts';
import type { McpOutcome } from './result.ts';

/**
 * Checks whether a failed call may be made again on a new connection. The old one must be lost, and one of these must be true:
 * the server has said that it did not run the call, the tool only reads, or `isSure`. False for any other outcome. `isSure`:
 * whether this server certainly has not run a call whose connection was lost.
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

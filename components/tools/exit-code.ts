import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/**
 * Returns the exit code of the command that a tool call ran, if it is not 0, so that the command failed. Returns undefined if
 * the command succeeded or has no exit code, for example because it has not ended, and for calls of tools that do not run
 * commands. `tool`: the called tool; undefined if it is not known.
 */
export function exitCodeOf(
  tool: Pick<ToolSpec, 'presentation'> | undefined,
  { result }: Pick<ToolCallPart, 'result'>,
): number | undefined {
  if (tool?.presentation.verb !== 'run-command' || result?.type !== 'tool-result') return undefined;
  const { data } = result.output;
  const code = typeof data === 'object' && data !== null && 'exitCode' in data ? data.exitCode : undefined;
  return typeof code === 'number' && code !== 0 ? code : undefined;
}

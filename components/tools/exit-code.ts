import type { ToolCallPart } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** The exit code of a call's command if it has failed; undefined if it has succeeded or not ended, or without a command. */
export function exitCodeOf(
  tool: Pick<ToolSpec, 'presentation'> | undefined,
  { result }: Pick<ToolCallPart, 'result'>,
): number | undefined {
  if (tool?.presentation.verb !== 'run-command' || result?.type !== 'tool-result') return undefined;
  const { data } = result.output;
  const code = typeof data === 'object' && data !== null && 'exitCode' in data ? data.exitCode : undefined;
  return typeof code === 'number' && code !== 0 ? code : undefined;
}

import type { ToolCall, ToolErrorCode, ToolResult } from './tool-call.ts';

/** Makes the result of a call that failed. `message`: the reason, for the model. */
export function failure(
  call: Pick<ToolCall, 'toolCallId' | 'toolName'>,
  code: ToolErrorCode,
  message: string,
): ToolResult {
  return { type: 'tool-error', toolCallId: call.toolCallId, toolName: call.toolName, code, message };
}

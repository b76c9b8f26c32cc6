import type { ToolCall, ToolErrorCode, ToolResult } from './tool-call.ts';

/** A result that says why a call failed. */
export function failure(
  call: Pick<ToolCall, 'toolCallId' | 'toolName'>,
  code: ToolErrorCode,
  message: string,
): ToolResult {
  return { type: 'tool-error', toolCallId: call.toolCallId, toolName: call.toolName, code, message };
}

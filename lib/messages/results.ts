import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { AssistantMessage } from './message.ts';

/**
 * Returns a message with each of the results on the call that it belongs to. A call that already has a result keeps it (rule
 * R1).
 */
export function withResults(message: AssistantMessage, results: readonly ToolResult[]): AssistantMessage {
  const byId = new Map(results.map((result) => [result.toolCallId, result]));
  return {
    ...message,
    parts: message.parts.map((part) => {
      const result = part.type === 'tool-call' && part.result === undefined ? byId.get(part.toolCallId) : undefined;
      return result === undefined ? part : { ...part, result };
    }),
  };
}

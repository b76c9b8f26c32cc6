import type { ToolCallPart } from '#lib/messages/message.ts';
import { NOTHING_KNOWN } from '#lib/tools/core/known-files.ts';
import type { JavaScriptEvaluator, ToolContext, WorkspaceCapabilities } from '#lib/tools/core/tool.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';

/** The result of a repeated read. It is only for the user: the model keeps the original result. */
export type RepeatedRead = { type: 'output'; content: string } | { type: 'error'; message: string };

/** Whether a call only read something, so that the user can run it again. */
export const canRunAgain = ({ toolName, result }: ToolCallPart): boolean =>
  result !== undefined && toolRegistry.get(toolName)?.effect === 'read';

/** Reads never run code. */
const NONE: JavaScriptEvaluator = { evaluate: () => Promise.reject(new Error('no code')) };

/** Repeats a read on the current workspace. Never rejects. */
export async function runAgain(
  { toolCallId, toolName, input }: ToolCallPart,
  capabilities: WorkspaceCapabilities,
): Promise<RepeatedRead> {
  const tool = toolRegistry.get(toolName);
  try {
    if (tool === undefined) throw new Error(toolName);
    const context: ToolContext = {
      ...capabilities,
      evaluator: NONE,
      toolCallId,
      author: { type: 'call', toolCallId },
      abortSignal: new AbortController().signal,
      known: NOTHING_KNOWN,
      earlierResults: () => [],
      callTool: () => Promise.reject(new Error('no other tool')),
    };
    const { content } = await tool.execute(tool.inputSchema.parse(input), context);
    return { type: 'output', content };
  } catch (error) {
    return { type: 'error', message: error instanceof Error ? error.message : String(error) };
  }
}

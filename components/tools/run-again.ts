import { messageOf } from '#lib/base/message-of.ts';
import type { ToolCallPart } from '#lib/messages/message.ts';
import type { WorkspaceCapabilities } from '#lib/tools/capabilities/capabilities.ts';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import type { ToolContent } from '#lib/tools/core/content.ts';
import type { Tool, ToolContext } from '#lib/tools/core/tool.ts';
import { NOTHING_KNOWN } from '#lib/tools/execution/known-files.ts';
import { parseToolInput } from '#lib/tools/schema/parse-input.ts';
import { isBuiltInToolset, TOOL_SEARCH } from '#lib/tools/toolset-names.ts';
import { pageDocuments } from '#studio/page-documents.ts';

/**
 * The result of a call that only reads, and that the user has run again. It is only for the user: the model keeps the
 * original result.
 */
export type RepeatedRead = { type: 'output'; content: ToolContent } | { type: 'error'; message: string };

/**
 * Checks whether a finished call was one of a built-in tool that only reads, other than the search for tools, so that the
 * user can run it again.
 */
export const canRunAgain = (tool: Tool | undefined, { result }: ToolCallPart): tool is Tool =>
  result !== undefined && tool?.effect === 'read' && isBuiltInToolset(tool.toolset) && tool.toolset !== TOOL_SEARCH;

/** The sandbox of a repeated read, which needs none: it runs no code. */
const NO_SANDBOX: JavaScriptEvaluator = { evaluate: () => Promise.reject(new Error('no code')) };

/** Rejects each request of a repeated read, which should send none. */
const refuse = () => Promise.reject(new Error('no web'));
const NO_WEB: WebAccess = { request: refuse, read: refuse };

/**
 * Repeats a call of a tool that only reads, on the workspace as it is now. Never rejects: a failure is returned as an
 * `error`.
 */
export async function runAgain(
  tool: Tool,
  { toolCallId, input }: ToolCallPart,
  capabilities: WorkspaceCapabilities,
): Promise<RepeatedRead> {
  try {
    const context: ToolContext = {
      ...capabilities,
      sandbox: NO_SANDBOX,
      web: NO_WEB,
      documents: pageDocuments,
      toolCallId,
      author: { type: 'call', toolCallId },
      abortSignal: new AbortController().signal,
      known: NOTHING_KNOWN,
      earlierResults: () => [],
      report: () => undefined,
      offered: () => [],
      hasRunBefore: () => true,
      callTool: () => Promise.reject(new Error('no other tool')),
    };
    const parsed = parseToolInput(tool, input);
    if (!parsed.success) throw new Error(parsed.issues.map(({ message }) => message).join(' '));
    const { content } = await tool.execute(parsed.data, context);
    return { type: 'output', content };
  } catch (error) {
    return { type: 'error', message: messageOf(error) };
  }
}

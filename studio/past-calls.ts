import type { Message, ToolCallPart } from '#lib/messages/message.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { PathEffect, PathRule } from '#lib/tools/permission/path-rule.ts';
import { accessesOf, PathRules } from '#lib/tools/permission/path-rules.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { resolvePath } from '#lib/vfs/paths.ts';

/** The maximum number of threads in which `readPastCalls` looks for calls, the newest first. */
export const PAST_THREADS_MAX = 200;
/** The maximum number of calls that `readPastCalls` finds. */
export const PAST_CALLS_MAX = 2_000;

/** A call of an earlier turn, and the paths that it named, read or changed, as far as the thread tells. */
export interface PastCall {
  toolCallId: string;
  toolName: string;
  threadId: string;
  threadTitle: string;
  paths: readonly { path: string; effect: PathEffect }[];
}

/**
 * Finds the calls in the newest threads that name, read, or change paths, the newest calls first. Paths are as the calls named
 * them, because it is not known any more where symlinks led. Leaves out threads that cannot be read, and calls of tools that
 * are not in `tools`. Once the signal fires, resolves with the calls that were found so far.
 */
export async function readPastCalls(
  store: Pick<ThreadStore, 'messages'>,
  threads: readonly Thread[],
  tools: Pick<ToolIndex<Tool>, 'get'>,
  signal: AbortSignal,
): Promise<PastCall[]> {
  const calls: PastCall[] = [];
  const newest = threads.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, PAST_THREADS_MAX);
  for (const { id, title } of newest) {
    const nodes = await store.messages(id).catch(() => []);
    if (signal.aborted) return calls;
    for (const { message } of nodes.toReversed())
      for (const part of callsIn(message)) {
        const tool = tools.get(part.toolName);
        const paths = tool === undefined ? [] : pathsOf(tool, part);
        if (paths.length === 0) continue;
        calls.push({ toolCallId: part.toolCallId, toolName: part.toolName, threadId: id, threadTitle: title, paths });
        if (calls.length === PAST_CALLS_MAX) return calls;
      }
  }
  return calls;
}

/**
 * Returns the calls to which a rule about paths would have applied, each with the first of its paths that the rule is about.
 * The settings show them, so that the person sees the effect of a rule.
 */
export function callsMatching(rule: PathRule, calls: readonly PastCall[]): { call: PastCall; path: string }[] {
  const rules = new PathRules([rule]);
  return calls.flatMap((call) => {
    const match = call.paths.find(({ path, effect }) => rules.ruleFor(path, effect) !== undefined);
    return match === undefined ? [] : [{ call, path: match.path }];
  });
}

const callsIn = (message: Message): ToolCallPart[] =>
  message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool-call').toReversed() : [];

/** Returns the paths that a call named, and the files that its result mentions. */
function pathsOf(tool: Tool, { input, result }: ToolCallPart): PastCall['paths'] {
  const named = accessesOf(tool, input).flatMap(({ path, effects }) =>
    resolved(path).flatMap((place) => effects.map((effect) => ({ path: place, effect }))),
  );
  const effect = tool.effect === 'read' ? 'read' : 'write';
  return [...named, ...(result?.files ?? []).map(({ path }) => ({ path, effect }) as const)];
}

function resolved(path: string): string[] {
  try {
    return [resolvePath(path)];
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}

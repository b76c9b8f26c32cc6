import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { ToolIndex } from '#lib/tools/catalogue/tool-index.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { resolveDelegatedCall } from '#lib/tools/execution/resolve-delegated-call.ts';
import { touchedFiles } from '#lib/tools/touched-files.ts';

/** A call whose changes the user reviews before they are written. */
export interface PendingReview {
  toolCallId: string;
  /** The files that the call's arguments name; empty if only its proposal, the changes that it would make, tells them. */
  paths: readonly string[];
  /** Whether only the review holds the call back. Otherwise, the conversation says what else the user is asked about. */
  isPlain: boolean;
  /** Whether it can be accepted together with others: it is plain, and names its files. */
  canBeAccepted: boolean;
}

/** The calls of the last turn that wait for a review, in the order in which they will run. */
export function pendingReviews(session: ThreadSession, tools: ToolIndex<Tool>): PendingReview[] {
  const turn = session.getSnapshot().branch.at(-1);
  if (turn?.role !== 'assistant') return [];
  return pendingCalls(turn).flatMap((made) => {
    const part = resolveDelegatedCall(made, (name) => tools.get(name));
    const tool = tools.get(part.toolName);
    if (tool === undefined || part.inputState !== 'complete' || !session.isReview(part.toolCallId)) return [];
    const isPlain = part.origin === undefined && tool.destructive !== true && session.askedPaths(part).length === 0;
    const paths = touchedFiles(tool, part.input);
    return [{ toolCallId: part.toolCallId, paths, isPlain, canBeAccepted: isPlain && paths.length > 0 }];
  });
}

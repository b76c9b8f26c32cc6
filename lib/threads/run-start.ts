import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';

/**
 * The start of a run (rule R12):
 *
 * | Start | Sent | After |
 * | --- | --- | --- |
 * | `turn` | the question | a new message |
 * | `resume` | the results of the last step's calls | the calls of a turn |
 * | `replace` | the whole branch | anything that the server cannot know |
 * | `retry` | the whole branch | a step that failed, which is repeated |
 */
export type RunStart = 'turn' | 'resume' | 'replace' | 'retry';

/** Finds the start of a run that an earlier page has stored. `branch`: ends with the turn that the run writes to. */
export function storedStart(branch: readonly Message[]): RunStart {
  const [before, question, turn] = [branch.at(-3), branch.at(-2), branch.at(-1)];
  if (turn?.role !== 'assistant' || turn.parts.at(-1)?.type === 'compaction') return 'replace';
  if (lastStepResults(turn).length > 0) return 'resume';
  return turn.parts.length === 0 && question?.role === 'user' && before?.role !== 'user' ? 'turn' : 'replace';
}

/** The results of the calls of a turn's last step. */
export function lastStepResults(turn: AssistantMessage): ToolResult[] {
  const index = turn.parts.findLastIndex(({ type }) => type === 'step');
  return turn.parts
    .slice(index)
    .flatMap((part) => (part.type === 'tool-call' && part.result !== undefined ? [part.result] : []));
}

import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';

/**
 * The start of a run (rule R12): the reason for it, which decides what the request sends, and as which action:
 *
 * | Start | Action | Sent | After |
 * | --- | --- | --- | --- |
 * | `turn` | `turn` | the question | a new message |
 * | `resume` | `resume` | the results of the last step's calls | the calls of a turn |
 * | `replace` | `replace` | the whole branch | anything that the server cannot know |
 * | `retry` | `replace` | the whole branch | a step that failed or was stopped, which is repeated |
 *
 * A `retry` is posted exactly like a `replace`, but its turn is not a first answer: the point of the files at the question is
 * not recorded again. Not every retry starts a run: with pending calls, the turn first waits for them (`TurnStarter.retry`).
 */
export type RunStart = 'turn' | 'resume' | 'replace' | 'retry';

/**
 * Finds the start of a run (the reason for it, which decides what is sent) that an earlier page or another tab has begun, by
 * its turn as it is stored. Needed only if the run never reached the server and has to be posted. `branch`: ends with the turn
 * that the run writes to.
 */
export function storedStart(branch: readonly Message[]): RunStart {
  const [before, question, turn] = [branch.at(-3), branch.at(-2), branch.at(-1)];
  if (turn?.role !== 'assistant' || turn.parts.at(-1)?.type === 'compaction') return 'replace';
  if (lastStepResults(turn).length > 0) return 'resume';
  // A question after another one is not sent alone; see `createRequest` in `run-follower.ts`.
  return turn.parts.length === 0 && question?.role === 'user' && before?.role !== 'user' ? 'turn' : 'replace';
}

/** The results of the calls of a turn's last step, as far as the calls have results. */
export function lastStepResults(turn: AssistantMessage): ToolResult[] {
  const index = turn.parts.findLastIndex(({ type }) => type === 'step');
  return turn.parts
    .slice(index)
    .flatMap((part) => (part.type === 'tool-call' && part.result !== undefined ? [part.result] : []));
}

import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message, ToolCallPart } from '#lib/messages/message.ts';
import { withResults } from '#lib/messages/results.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import { type StepOptions, takeStep, turnOf } from './step.ts';
import { isAskedAgain } from './step-end.ts';

/** The continuation of a turn after a step: results for its calls, another step, or nothing more. */
type AfterStep = 'calls' | 'step' | 'end';

/**
 * Decides how a turn goes on after a step: `calls` if calls are pending; `step` if the model is asked again at once, because
 * its call could not be read; otherwise `end`.
 */
export function afterStep(turn: AssistantMessage): AfterStep {
  if (pendingCalls(turn).length > 0) return 'calls';
  return isAskedAgain(turn.parts.findLast((part) => part.type === 'step')) ? 'step' : 'end';
}

/** Options of a turn, besides those of each of its steps. */
export interface TurnOptions extends StepOptions {
  /**
   * Executes the calls of a step, and resolves with a result for each (rule R1). Decides about permission, and makes
   * sure that no call runs twice. `branch`: the messages up to these calls.
   */
  execute(calls: readonly ToolCallPart[], branch: readonly Message[]): Promise<readonly ToolResult[]>;
  /**
   * Returns the catalogue and the settings of the next step. Without this function, all steps have those of the turn's options.
   */
  offer?(): Pick<StepOptions, 'catalogue' | 'settings'>;
}

/**
 * Plays a turn to its end in a process that also executes the calls: takes steps and has their calls executed, until a step
 * makes no more calls. Resolves with the turn as *done*. Rejects like `takeStep` and `execute`, or with the reason of
 * `abortSignal`; the turn then is what the emitted chunks and the results so far make of it.
 */
export async function playTurn({ execute, offer, ...options }: TurnOptions): Promise<AssistantMessage> {
  const before = options.messages.slice(0, -1);
  let turn = turnOf(options);
  for (;;) {
    turn = await takeStep({ ...options, ...offer?.(), messages: [...before, turn] });
    const next = afterStep(turn);
    if (next === 'end') return { ...turn, status: { type: 'done' } };
    if (next === 'calls') turn = withResults(turn, await execute(pendingCalls(turn), [...before, turn]));
    options.abortSignal?.throwIfAborted();
  }
}

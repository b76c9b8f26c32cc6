// The ways in which the executor's part in a call ends, as the table “How a call ends” in docs/ARCHITECTURE.md lists them.
import { failure } from '../core/failure.ts';
import type { ToolCall, ToolResult } from '../core/tool-call.ts';

/**
 * The outcome of a call that does not run, for example because the user denied it. The executor has yet to claim the call in
 * the ledger, and to store its result.
 */
export interface NotRun {
  type: 'not-run';
  result: ToolResult;
}

/** The outcome of a call that another tab has taken over, so that the call gets no result here. */
export interface TakenOver {
  type: 'taken-over';
}

/**
 * The outcome of a call that was claimed in the ledger. `ran`: its tool was started, and has succeeded, failed, or been
 * stopped. `stopped`: the turn was stopped before the tool was started. The executor has yet to store the result.
 */
export interface Ended {
  type: 'ran' | 'stopped';
  result: ToolResult;
}

/** The outcome of an executor's attempt to run a call. */
export type CallOutcome = NotRun | TakenOver | Ended;

/** The outcome of a call that another tab has taken over. */
export const TAKEN_OVER: TakenOver = { type: 'taken-over' };

/** Makes the outcome of a call that does not run. */
export const notRun = (result: ToolResult): NotRun => ({ type: 'not-run', result });

/** The result, an `aborted` error, of a call that was stopped before it ran. */
export const stoppedFirst = (call: ToolCall): ToolResult =>
  failure(call, 'aborted', 'Not run: the turn was stopped first.');

/** The result, an `aborted` error, of a call that was stopped while it ran. */
export const stoppedMidway = (call: ToolCall): ToolResult =>
  failure(call, 'aborted', 'Stopped by the user before it finished.');

/**
 * The result, a `no-such-tool` error, of a call whose tool was removed or replaced since it was looked up, so that it did not
 * run.
 */
export const toolChanged = (call: ToolCall): ToolResult =>
  failure(call, 'no-such-tool', `${call.toolName} was removed or changed after it was called, so it was not run.`);

/**
 * The result, an `interrupted` error, of a call that was claimed in the ledger before its tool was removed, so that it may have
 * run.
 */
export const toolRemoved = (call: Pick<ToolCall, 'toolCallId' | 'toolName'>): ToolResult =>
  failure(
    call,
    'interrupted',
    `${call.toolName} was interrupted and is no longer available. It may have made changes; check before you continue.`,
  );

/** The result, an `interrupted` error, of a call that may have made changes before the tab that ran it was closed. */
export const interrupted = (call: ToolCall): ToolResult =>
  failure(
    call,
    'interrupted',
    `${call.toolName} was interrupted while it ran. It may have made changes; check before you run it again.`,
  );

/**
 * The result, an `interrupted` error, that stands in this page for that of a call that another tab executes now. It is not
 * stored.
 */
export const takenOverResult = (call: ToolCall): ToolResult =>
  failure(call, 'interrupted', 'Another tab took over this call.');

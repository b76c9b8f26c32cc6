import type { ToolCallPart } from '#lib/messages/message.ts';

/**
 * The state of a tool call as its card shows it. `writing`: the model is still writing its arguments. `waiting`: it has not
 * begun. `asking`: the person is asked whether it may run. `incomplete`: its arguments were cut off. `interrupted`: it broke
 * off while it ran, and may have made changes. `unknown`: there is no such tool. `invalid`: its arguments do not fit the tool.
 */
export type CallState =
  | 'writing'
  | 'waiting'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'stopped'
  | 'interrupted'
  | 'incomplete'
  | 'unknown'
  | 'invalid';

/** The ids of the calls of the open thread that wait for approval or are running. */
export interface LiveCalls {
  asking: readonly string[];
  running: readonly string[];
}

export function callState({ toolCallId, inputState, result }: ToolCallPart, live: LiveCalls): CallState {
  if (result?.type === 'tool-result') return 'done';
  if (result !== undefined) return FAILURES[result.code];
  if (live.asking.includes(toolCallId)) return 'asking';
  if (live.running.includes(toolCallId)) return 'running';
  return inputState === 'streaming' ? 'writing' : inputState === 'incomplete' ? 'incomplete' : 'waiting';
}

const FAILURES: Record<Extract<NonNullable<ToolCallPart['result']>, { type: 'tool-error' }>['code'], CallState> = {
  'no-such-tool': 'unknown',
  'invalid-input': 'invalid',
  denied: 'denied',
  aborted: 'stopped',
  'timed-out': 'failed',
  interrupted: 'interrupted',
  incomplete: 'incomplete',
  failed: 'failed',
};

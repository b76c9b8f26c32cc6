import type { AgentModel } from '#lib/agent/agent-model.ts';
import type { Problem } from '#lib/messages/message.ts';
import type { ResponseRecorder } from './wire.ts';

/** The model that is examined, and the options of its examination. */
export interface ExaminedModel {
  model: AgentModel;
  /** Records the responses of the model's endpoint. */
  wire: ResponseRecorder;
  /** Whether the window may be measured with a long prompt. */
  measuresWindow: boolean;
  /** Asks the endpoint for the window that it serves, in tokens; undefined if it says nothing. */
  servedWindow(signal: AbortSignal): Promise<number | undefined>;
  /** Describes the error of a failed request, without secrets. */
  describe(error: unknown): Problem;
  /** The time to wait before a failed request is repeated, in milliseconds. */
  pauseMs: number;
  signal: AbortSignal;
}

import type { AgentModel } from '#lib/agent/agent-model.ts';
import type { Problem } from '#lib/messages/message.ts';
import type { Wire } from './wire.ts';

/** What an examination needs. */
export interface Patient {
  model: AgentModel;
  /** Watches the model's endpoint. */
  wire: Wire;
  /** Whether the window may be measured with a long prompt. */
  measuresWindow: boolean;
  /** What the endpoint says of the window that it serves, in tokens; undefined if it says nothing. */
  servedWindow(signal: AbortSignal): Promise<number | undefined>;
  /** Describes what a request failed with, without secrets. */
  describe(error: unknown): Problem;
  /** How long to wait before a failed request is repeated, in milliseconds. */
  pauseMs: number;
  signal: AbortSignal;
}

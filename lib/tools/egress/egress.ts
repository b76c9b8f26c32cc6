import type { ToolCall } from '../core/tool-call.ts';

/**
 * The reasons why a call could send requests: the person was asked about it, they had allowed it, its tool or its host
 * in the thread or everywhere, or their settings allow calls of this kind.
 */
export const EGRESS_DECISIONS = ['asked', 'thread', 'always', 'policy'] as const;

/** The reason why a call could send requests; see `EGRESS_DECISIONS`. */
export type EgressDecision = (typeof EGRESS_DECISIONS)[number];

/** Stands for the name of a tool where the person's code in the console has sent a request. No tool has a space in its name. */
export const CONSOLE = 'the console';

/** Stands for the name of a tool where an answer shows an image of another site. */
export const ANSWER_IMAGE = 'an image in an answer';

/** A request as far as it is recorded: no path, no query, no content. Sizes are in bytes. */
export interface EgressRequest {
  /** With its port, unless that is the one of HTTPS. */
  host: string;
  sent: number;
  received: number;
  /** The status of the answer; absent if there was none. */
  status?: number;
  /** The reason why it was not sent, or why it failed. */
  refused?: string;
}

/** Takes down the requests of calls. Nothing that it does makes a call fail. */
export interface EgressRecord {
  /** A call may run, for this reason. Inner calls are named by their own ids. */
  allowed(call: Pick<ToolCall, 'toolCallId' | 'toolName'>, decision: EgressDecision): void;
  /** A call that would have reached these hosts may not run. */
  denied(call: Pick<ToolCall, 'toolCallId' | 'toolName'>, hosts: readonly string[], reason: string): void;
  /** A call has sent a request, or was kept from it. */
  sent(toolCallId: string, request: EgressRequest): void;
}

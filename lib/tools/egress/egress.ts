import type { ToolCall } from '../core/tool-call.ts';

/**
 * The reasons why a call could send requests to other hosts. `asked`: the person allowed it when asked. `thread`, `always`:
 * they had allowed its tool or hosts before, in the thread or in all threads. `policy`: their settings allow calls of this
 * kind.
 */
export const EGRESS_DECISIONS = ['asked', 'thread', 'always', 'policy'] as const;

/** The reason why a call could send requests to other hosts; see `EGRESS_DECISIONS`. */
export type EgressDecision = (typeof EGRESS_DECISIONS)[number];

/**
 * Stands in place of a tool's name, in the record of requests, for a request that the person's code in the console has sent.
 * No tool has a space in its name.
 */
export const CONSOLE = 'the console';

/**
 * Stands in place of a tool's name, in the record of requests, for a request for an image of another site that an answer
 * shows.
 */
export const ANSWER_IMAGE = 'an image in an answer';

/** A request to another host, as far as it is recorded: no path, no query, no content. Sizes are in bytes. */
export interface EgressRequest {
  /** As `hostOf` names it: with its port, unless that is 443 for HTTPS. */
  host: string;
  sent: number;
  received: number;
  /** The status of the answer; absent if there was none. */
  status?: number;
  /** The reason why the request was not sent, or why it failed; absent if it succeeded. */
  refused?: string;
}

/** Records the requests that calls send to other hosts. Its own failures never make a call fail. */
export interface EgressRecord {
  /** Records that a call may run, and the reason. Inner calls are named by their own ids. */
  allowed(call: Pick<ToolCall, 'toolCallId' | 'toolName'>, decision: EgressDecision): void;
  /** Records that a call that would have reached these hosts may not run, and the reason. */
  denied(call: Pick<ToolCall, 'toolCallId' | 'toolName'>, hosts: readonly string[], reason: string): void;
  /** Records a request that a call has sent, or was kept from sending. */
  sent(toolCallId: string, request: EgressRequest): void;
}

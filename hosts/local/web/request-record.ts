import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import type { EgressDecision, EgressRecord, EgressRequest } from '#lib/tools/egress/egress.ts';
import { outerCallId } from '#lib/tools/execution/inner-call.ts';

/** A request of a call, with the reason why it could be sent; `denied` if it could not. */
export interface ToldRequest extends EgressRequest {
  toolCallId: string;
  toolName: string;
  decision: EgressDecision | 'denied';
}

/** The maximum number of remembered calls that may send requests. */
const CALLS_MAX = 500;

/**
 * Tells a listener about each request that a call sends or was not allowed to send, and keeps no list of them. Remembers only
 * the latest calls that were allowed to send requests: `sent` gets a call's id alone, but the listener also gets the name of
 * the call's tool, and the reason why the call could send.
 */
export class RequestRecord implements EgressRecord {
  readonly #tell: (request: ToldRequest) => void;
  /** The calls that were allowed to send requests, by their ids, newest last. */
  readonly #calls = new Map<string, Pick<ToldRequest, 'toolName' | 'decision'>>();

  constructor(tell: (request: ToldRequest) => void) {
    this.#tell = tell;
  }

  allowed({ toolCallId, toolName }: Pick<ToolCall, 'toolCallId' | 'toolName'>, decision: EgressDecision): void {
    this.#calls.delete(toolCallId);
    this.#calls.set(toolCallId, { toolName, decision });
    for (const id of this.#calls.keys()) {
      if (this.#calls.size <= CALLS_MAX) break;
      this.#calls.delete(id);
    }
  }

  denied(
    { toolCallId, toolName }: Pick<ToolCall, 'toolCallId' | 'toolName'>,
    hosts: readonly string[],
    refused: string,
  ): void {
    for (const host of hosts)
      this.#tell({ toolCallId, toolName, decision: 'denied', host, sent: 0, received: 0, refused });
  }

  sent(toolCallId: string, request: EgressRequest): void {
    const call = this.#calls.get(toolCallId) ?? this.#calls.get(outerCallId(toolCallId));
    this.#tell({ toolCallId, ...(call ?? { toolName: '', decision: 'policy' }), ...request });
  }
}

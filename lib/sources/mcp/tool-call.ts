import { type Client, isInputRequiredResult } from '@modelcontextprotocol/client';
import { startOf } from '#lib/base/cut-text.ts';
import { delay } from '#lib/base/delay.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { CallProgress } from '#lib/tools/core/tool-call.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import type { CallOptions } from './call-requests.ts';
import { readFormRequest } from './form-request.ts';
import { MCP_LIMITS } from './limits.ts';
import { type McpOutcome, outcomeOf } from './result.ts';

/** A call that is under way. */
export interface McpCallOptions {
  signal: AbortSignal;
  /** Called with each word of progress. */
  onProgress?(progress: CallProgress): void;
  /** Asks the person what the server wants to know. Without it, every question is declined. */
  onForm?(form: Omit<CallForm, 'from'>): Promise<FormAnswer>;
  /** Called with each request that the call sends, where the server is reached by requests. */
  onRequest?(request: EgressRequest): void;
}

/** The delay before a call is sent again if the server wanted input but asked for nothing, in milliseconds. */
const AGAIN_MS = 500;

/** The one call of a server's tool, however often the server asks for something before it answers. */
export class McpToolCall {
  readonly #client: Client;
  readonly #options: McpCallOptions;
  /** Fires when the server has said nothing for too long. */
  readonly #silent = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #queue = new SerialQueue();
  #questions = 0;
  #hasBegun = false;
  #hasEnded = false;
  /** The reason for declining the first question that was not shown to the person, as a sentence. */
  #refusal: string | undefined;

  constructor(client: Client, options: McpCallOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether it ended because the server said nothing. */
  get isSilent(): boolean {
    return this.#silent.signal.aborted;
  }

  /** Whether the server has begun to run it: it has asked for something. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Rejects like a request of the client. `sending`: how its requests are known. */
  async run(name: string, args: Record<string, unknown>, sending?: CallOptions): Promise<McpOutcome> {
    const signal = AbortSignal.any([this.#options.signal, this.#silent.signal]);
    const until = performance.now() + MCP_LIMITS.callMs;
    let answers: object = {};
    this.#listen();
    try {
      for (let round = 0; round <= MCP_LIMITS.rounds; round++) {
        const timeout = Math.max(1, until - performance.now());
        const result = await this.#client.callTool(
          { name, arguments: args, ...answers },
          {
            ...sending,
            signal,
            timeout,
            maxTotalTimeout: timeout,
            allowInputRequired: true,
            onprogress: (progress) => this.#progress(progress),
          },
        );
        if (!isInputRequiredResult(result)) return this.#withRefusal(outcomeOf(result));
        const { inputRequests = {}, requestState } = result;
        this.#hasBegun = true;
        const inputResponses = await this.#respond(inputRequests);
        if (inputResponses === undefined) return failed('It asked for something that the studio does not support.');
        answers = {
          ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
          ...(requestState !== undefined && { requestState }),
        };
        if (Object.keys(inputRequests).length === 0) await delay(AGAIN_MS, signal);
        signal.throwIfAborted();
      }
      return failed(`The server asked for input more than ${MCP_LIMITS.rounds} times.`);
    } finally {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
    }
  }

  /**
   * Asks the person what the server wants to know, one question after the other. Never rejects. While they think, the server
   * need not say anything.
   */
  ask(params: unknown): Promise<FormAnswer> {
    this.#hasBegun = true;
    return this.#queue.run(async () => {
      const { onForm } = this.#options;
      const read = readFormRequest(params);
      this.#questions += 1;
      if ('refusal' in read) return this.#refuse(read.refusal);
      if (onForm === undefined) return this.#refuse('There’s no one to ask here.');
      if (this.#questions > MCP_LIMITS.rounds)
        return this.#refuse(`The server asked for input more than ${MCP_LIMITS.rounds} times.`);
      clearTimeout(this.#timer);
      const answer = await onForm(read.form).catch((): FormAnswer => ({ action: 'cancel' }));
      if (!this.#hasEnded) this.#listen();
      return answer;
    });
  }

  #refuse(reason: string): FormAnswer {
    this.#refusal ??= reason;
    return { action: 'decline' };
  }

  /** Collects the answers to the server's requests; undefined if it requests something that is not supported. */
  async #respond(requests: Readonly<Record<string, unknown>>): Promise<Record<string, FormAnswer> | undefined> {
    const responses: [string, FormAnswer][] = [];
    for (const [key, request] of Object.entries(requests)) {
      const { method, params } = (request ?? {}) as { method?: unknown; params?: unknown };
      if (method !== 'elicitation/create') return undefined;
      responses.push([key, await this.ask(params)]);
    }
    return Object.fromEntries(responses);
  }

  #progress({ progress, total, message }: { progress: number; total?: number; message?: string }): void {
    this.#listen();
    this.#options.onProgress?.({
      done: progress,
      ...(total !== undefined && { of: total }),
      ...(message !== undefined && { text: startOf(message, MCP_LIMITS.description) }),
    });
  }

  #listen(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silent.abort(), MCP_LIMITS.silenceMs);
  }

  /** The outcome, with what the model should know about questions that nobody has seen. */
  #withRefusal(outcome: McpOutcome): McpOutcome {
    if (this.#refusal === undefined) return outcome;
    const note = `The server asked the user for something while this call ran, which was declined. ${this.#refusal}`;
    return outcome.type === 'failure'
      ? { ...outcome, message: `${outcome.message}\n${note}` }
      : { ...outcome, content: [...outcome.content, { type: 'text', text: `[${note}]` }] };
  }
}

const failed = (reason: string): McpOutcome => ({
  type: 'failure',
  code: 'failed',
  message: `The server did not finish the call. ${reason} The call may have made changes; check before calling again.`,
});

import { type Client, isInputRequiredResult } from '@modelcontextprotocol/client';
import { startOf } from '#lib/base/cut-text.ts';
import { defined } from '#lib/base/defined.ts';
import { delay } from '#lib/base/delay.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { CallProgress } from '#lib/tools/core/tool-call.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import type { CallOptions } from './call-requests.ts';
import { readFormRequest } from './form-request.ts';
import { MCP_LIMITS } from './limits.ts';
import { type McpOutcome, outcomeOf } from './result.ts';

/** Options of a call of a server's tool. */
export interface McpCallOptions {
  signal: AbortSignal;
  /** Called with each report of progress. */
  onProgress?(progress: CallProgress): void;
  /** Asks the person what the server wants to know. Without it, every question is declined. */
  onForm?(form: Omit<CallForm, 'from'>): Promise<FormAnswer>;
  /** Called with each HTTP request that the call sends; never if the server is not reached by HTTP. */
  onRequest?(request: EgressRequest): void;
}

/** The delay before a call is sent again if the server wanted input but asked for nothing, in milliseconds. */
const AGAIN_MS = 500;

/** One call of a server's tool. It may take several requests, because the server can ask for input before it answers. */
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
  /** The reason why the first declined question was not shown to the person, as a sentence; undefined if none was declined. */
  #refusal: string | undefined;

  constructor(client: Client, options: McpCallOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether the call ended because the server said nothing for too long. */
  get isSilent(): boolean {
    return this.#silent.signal.aborted;
  }

  /**
   * Whether the server has certainly begun to run the call, because it has asked for input. Such a call must not simply be
   * repeated.
   */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Sends the call, and answers what the server asks. Rejects with the errors of the protocol's client. `sending`: options by
   * which `CallRequests` recognizes its requests.
   */
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
          ...defined({ requestState }),
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
   * Asks the person what the server wants to know, one question at a time. `params`: the server's question, which may be
   * anything; one that cannot be put to the person is declined. Never rejects. The time limit for the server's silence does
   * not run while the person answers.
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
      ...defined({ of: total }),
      ...(message !== undefined && { text: startOf(message, MCP_LIMITS.description) }),
    });
  }

  #listen(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silent.abort(), MCP_LIMITS.silenceMs);
  }

  /**
   * Returns the outcome with a note for the model about why the first declined question of the server was declined; unchanged
   * if none was.
   */
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
  message: `The server did not finish the call. ${reason} ${MAY_HAVE_RUN}`,
});

import { type Client, isInputRequiredResult } from '@modelcontextprotocol/client';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { CallProgress } from '#lib/tools/core/tool-call.ts';
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
}

/** How long to wait before a server that asked for nothing is asked again, in milliseconds. */
const AGAIN_MS = 500;

/** The one call of a server's tool, however often the server asks for something before it answers. */
export class McpToolCall {
  readonly #client: Client;
  readonly #options: McpCallOptions;
  /** Fires when the server has said nothing for too long. */
  readonly #silent = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #questions = 0;
  /** Why questions of the server were declined without the person, as sentences. */
  readonly #refusals: string[] = [];

  constructor(client: Client, options: McpCallOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Whether it ended because the server said nothing. */
  get isSilent(): boolean {
    return this.#silent.signal.aborted;
  }

  /** Rejects like a request of the client. */
  async run(name: string, args: Record<string, unknown>): Promise<McpOutcome> {
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
            ...{ signal, timeout, maxTotalTimeout: timeout, allowInputRequired: true },
            onprogress: (progress) => this.#progress(progress),
          },
        );
        if (!isInputRequiredResult(result)) return this.#withRefusals(outcomeOf(result));
        const { inputRequests = {}, requestState } = result;
        const inputResponses = await this.#respond(inputRequests);
        if (inputResponses === undefined) return failed('It asked for something that the studio does not support.');
        answers = {
          ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
          ...(requestState !== undefined && { requestState }),
        };
        if (Object.keys(inputRequests).length === 0) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        signal.throwIfAborted();
      }
      return failed(`It asked for something more than ${MCP_LIMITS.rounds} times.`);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  /** Asks the person what the server wants to know. Never rejects. While they think, the server need not say anything. */
  async ask(params: unknown): Promise<FormAnswer> {
    const { onForm } = this.#options;
    const read = readFormRequest(params);
    this.#questions += 1;
    const refusal =
      'refusal' in read
        ? read.refusal
        : onForm === undefined
          ? 'There is nobody to ask here.'
          : this.#questions > MCP_LIMITS.rounds
            ? `It asked more than ${MCP_LIMITS.rounds} times.`
            : undefined;
    if (refusal !== undefined || !('form' in read)) {
      this.#refusals.push(refusal ?? '');
      return { action: 'decline' };
    }
    clearTimeout(this.#timer);
    const answer = await onForm?.(read.form).catch((): FormAnswer => ({ action: 'cancel' }));
    this.#listen();
    return answer ?? { action: 'cancel' };
  }

  /** What the server is told; undefined if it asks for something that is not supported. */
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
      ...(message !== undefined && { text: message.slice(0, MCP_LIMITS.description) }),
    });
  }

  #listen(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silent.abort(), MCP_LIMITS.silenceMs);
  }

  /** The outcome, with what the model should know about questions that nobody has seen. */
  #withRefusals(outcome: McpOutcome): McpOutcome {
    const [first] = this.#refusals;
    if (first === undefined) return outcome;
    const note = `The server asked the user for something while this call ran, which was declined. ${first}`;
    return outcome.type === 'failure'
      ? { ...outcome, message: `${outcome.message}\n${note}` }
      : { ...outcome, content: [...outcome.content, { type: 'text', text: `[${note}]` }] };
  }
}

const failed = (reason: string): McpOutcome => ({
  ...{ type: 'failure', code: 'failed' },
  message: `The server did not finish the call. ${reason} The call may have had effects; check before calling again.`,
});

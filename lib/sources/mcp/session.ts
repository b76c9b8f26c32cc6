import {
  Client,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client';
import { untilAborted } from '#lib/base/until-aborted.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import { MCP_PROGRAM_ENDED } from '#lib/wire/mcp.ts';
import { type AttachedContent, promptContent, resourceContent } from './attached-content.ts';
import { BROKEN_STREAM, endBrokenRequests } from './broken-streams.ts';
import type { CallRequests } from './call-requests.ts';
import { type CompletionRequest, suggestionsIn } from './completion.ts';
import { reasonIn } from './forgotten-session.ts';
import { MCP_LIMITS } from './limits.ts';
import { ListSieve } from './list-sieve.ts';
import { httpText, McpError, problemOf } from './mcp-error.ts';
import { limitMessages } from './message-rate.ts';
import { correctResult } from './odd-results.ts';
import type { McpProblem } from './problem.ts';
import type { McpFailure, McpOutcome } from './result.ts';
import { assumeComplete } from './result-type.ts';
import { type McpListing, ServerLists } from './server-lists.ts';
import { type McpCallOptions, McpToolCall } from './tool-call.ts';
import { addressOf } from './uri-template.ts';

export interface McpSessionOptions {
  /**
   * Called when the server says that its tools, prompts, or resources have changed, or may have changed without its saying so.
   */
  onChange(): void;
  /** Called when the connection has ended, by itself or by `close`. */
  onClose(): void;
  /** Whether calls can ask the person what the server wants to know; false by default. If not, the server is told so. */
  asksForms?: boolean;
  /** Finds out which requests belong to which call; absent if the server is not reached by HTTP. */
  requests?: CallRequests;
  /** The server's address, if it has one. */
  origin?: string;
}

/** Failures of calls whose server says that it has forgotten the session (`said`), or may have forgotten it (`unsaid`). */
const FORGOTTEN = {
  said: {
    code: 'failed',
    isDisconnected: true,
    wasSent: 'not-run',
    message: 'Not run: the server had closed this session. Call again.',
  },
  unsaid: {
    code: 'failed',
    isDisconnected: true,
    wasSent: 'unknown',
    message: `The server refused this call without saying why, and may have forgotten the connection, which is opened again. ${MAY_HAVE_RUN}`,
  },
} satisfies Record<string, Omit<McpFailure, 'type'>>;

const FLOOD: McpProblem = {
  code: 'failed',
  detail: `The server sent more than ${MCP_LIMITS.messagesPerSecond.toLocaleString('en')} messages in a second.`,
};

/**
 * The first and the longest delay before listening again after a server stopped reporting changes, in milliseconds. The
 * delay doubles each time.
 */
const LISTEN_AGAIN_MS = { first: 1_000, max: 60_000 };

/**
 * A connection to a tool server that speaks any version of the protocol. The only thing that a server can ask for is input
 * from the person, during a call.
 */
export class McpSession {
  readonly #client: Client;
  readonly #lists: ServerLists;
  readonly #calls = new Set<McpToolCall>();
  readonly #closed = new AbortController();
  readonly #requests: CallRequests | undefined;

  /** Connects. Rejects with `McpError`. */
  static async open(transport: Transport, options: McpSessionOptions): Promise<McpSession> {
    const { onChange, onClose, asksForms = false } = options;
    const listChange = { autoRefresh: false, onChanged: () => onChange() };
    const client = new Client(
      { name: 'roundtrip-studio', version: '1' },
      {
        capabilities: asksForms ? { elicitation: { form: {} } } : {},
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: MCP_LIMITS.connectMs } },
        listMaxPages: MCP_LIMITS.pages,
        listChanged: { tools: listChange, prompts: listChange, resources: listChange },
      },
    );
    const sieve = new ListSieve();
    const flood = new AbortController();
    limitMessages(transport, () => flood.abort());
    // The client keeps a handler that is set before it connects, and passes each message to it first.
    transport.onmessage = (message) => {
      if (client.getProtocolEra() === 'modern') assumeComplete(message);
      sieve.take(message);
      correctResult(message);
    };
    endBrokenRequests(transport);
    const session = new McpSession(client, sieve, options);
    client.onclose = () => {
      session.#closed.abort();
      onClose();
    };
    if (asksForms)
      client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await session.#ask(params)) }));
    try {
      // While it finds out which protocol is spoken, the client does not notice that the connection has ended.
      await untilAborted(client.connect(transport, { timeout: MCP_LIMITS.connectMs }), flood.signal);
    } catch (error) {
      // The error that ended the attempt is the one to report.
      await client.close().catch(() => undefined);
      throw new McpError(flood.signal.aborted ? FLOOD : problemOf(error));
    }
    void session.#listen(onChange);
    return session;
  }

  private constructor(client: Client, sieve: ListSieve, { origin, requests }: McpSessionOptions) {
    this.#client = client;
    this.#lists = new ServerLists(client, sieve, origin);
    this.#requests = requests;
  }

  /** Lists what the server offers now. Rejects with `McpError`. */
  list(): Promise<McpListing> {
    return this.#lists.read();
  }

  /** Reads a resource. Rejects with `McpError`. */
  async readResource(uri: string, signal: AbortSignal): Promise<AttachedContent> {
    return this.#get(() =>
      this.#client.readResource({ uri }, { signal, timeout: MCP_LIMITS.listMs, cacheMode: 'bypass' }),
    ).then(resourceContent);
  }

  /** Reads the resource whose address a template gives with these values. Rejects with `McpError`. */
  async readTemplate(uriTemplate: string, args: Record<string, string>, signal: AbortSignal): Promise<AttachedContent> {
    return this.readResource(await this.#get(async () => addressOf(uriTemplate, args)), signal);
  }

  /**
   * Returns the values that the server suggests for an argument of a prompt or a template; an empty list if it suggests none.
   * Rejects with `McpError`.
   */
  complete({ of, argument, known }: CompletionRequest, signal: AbortSignal): Promise<string[]> {
    if (this.#client.getServerCapabilities()?.completions === undefined) return Promise.resolve([]);
    const ref =
      'prompt' in of
        ? ({ type: 'ref/prompt', name: of.prompt } as const)
        : ({ type: 'ref/resource', uri: of.uriTemplate } as const);
    return this.#get(async () => {
      const { completion } = await this.#client.complete(
        { ref, argument, context: { arguments: known } },
        { signal, timeout: MCP_LIMITS.completeMs },
      );
      return suggestionsIn(completion.values);
    });
  }

  /** Has the server fill in a prompt with the values of its arguments. Rejects with `McpError`. */
  async getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<AttachedContent> {
    return this.#get(() =>
      this.#client.getPrompt({ name, arguments: args }, { signal, timeout: MCP_LIMITS.listMs }),
    ).then(promptContent);
  }

  async #get<Value>(request: () => Promise<Value>): Promise<Value> {
    try {
      return await request();
    } catch (error) {
      throw new McpError(problemOf(error));
    }
  }

  /** Calls a tool by the server's name for it. Never rejects. */
  async call(name: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpOutcome> {
    const call = new McpToolCall(this.#client, options);
    this.#calls.add(call);
    const sending = this.#requests?.begin((request) => options.onRequest?.(request));
    try {
      return await call.run(name, args, sending?.options);
    } catch (error) {
      if (options.signal.aborted) return { type: 'failure', code: 'aborted', message: 'Stopped by the user.' };
      if (call.isSilent || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout))
        return {
          type: 'failure',
          code: 'timed-out',
          message: `The server didn’t respond within ${MCP_LIMITS.silenceMs / 1_000} seconds. ${MAY_HAVE_RUN}`,
        };
      const forgotten = error instanceof SdkHttpError && !call.hasBegun ? this.#forgotten(error) : undefined;
      if (forgotten !== undefined) return { type: 'failure', ...forgotten };
      if (error instanceof ProtocolError && error.code === MCP_PROGRAM_ENDED)
        return { type: 'failure', code: 'failed', message: error.message, problem: problemOf(error) };
      if (error instanceof MissingRequiredClientCapabilityError)
        return { type: 'failure', code: 'failed', message: unsupportedCall(error.requiredCapabilities) };
      if (error instanceof ProtocolError && error.message !== BROKEN_STREAM)
        return { type: 'failure', code: 'failed', message: error.message.slice(0, MCP_LIMITS.resultText) };
      const problem = problemOf(error);
      const isOfServer = OF_SERVER.has(problem.code);
      return {
        type: 'failure',
        code: 'failed',
        message: lostCall(problem, call.hasBegun),
        ...(isOfServer && { problem }),
      };
    } finally {
      sending?.end();
      this.#calls.delete(call);
    }
  }

  /**
   * Returns the failure of a call that a server answered with this error; undefined if the server cannot have forgotten the
   * session.
   */
  #forgotten(error: SdkHttpError): Omit<McpFailure, 'type'> | undefined {
    const { status } = error;
    // Without a session, there is nothing to forget.
    const hasSession = this.#client.transport?.sessionId !== undefined;
    if (status === 404) return hasSession ? FORGOTTEN.said : FORGOTTEN.unsaid;
    return status === 400 && hasSession && reasonIn(httpText(error)) === '' ? FORGOTTEN.unsaid : undefined;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client.close();
  }

  /**
   * Passes a server's question for the person to its call. Servers of the earlier era do not say to which call a question
   * belongs, so it is declined if several calls run.
   */
  async #ask(params: unknown): Promise<FormAnswer> {
    const [call, ...others] = this.#calls;
    return call === undefined || others.length > 0 ? { action: 'decline' } : call.ask(params);
  }

  /**
   * Subscribes again when a server of the modern era stops reporting changes, then calls `onChange`, because changes may have
   * been missed.
   */
  async #listen(onChange: () => void): Promise<void> {
    let subscription = this.#client.autoOpenedSubscription;
    const filter = subscription?.honoredFilter;
    let waitMs = LISTEN_AGAIN_MS.first;
    while (subscription !== undefined && filter !== undefined) {
      const openedAt = performance.now();
      if ((await subscription.closed) === 'local' || this.#closed.signal.aborted) return;
      if (performance.now() - openedAt > LISTEN_AGAIN_MS.max) waitMs = LISTEN_AGAIN_MS.first;
      do {
        await wait(waitMs, this.#closed.signal);
        if (this.#closed.signal.aborted) return;
        waitMs = Math.min(waitMs * 2, LISTEN_AGAIN_MS.max);
        // The server may be down for a while; the loop tries again.
        subscription = await this.#client.listen(filter).catch(() => undefined);
      } while (subscription === undefined);
      onChange();
    }
  }
}

/** Resolves after a time, or at once when the signal fires. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });

/** Codes of problems that concern the server, or the login there, and not only one call. */
const OF_SERVER: ReadonlySet<string> = new Set(['unreachable', 'needs-login', 'needs-scope', 'login-unavailable']);

/** Codes of problems that mean that the server has not run the call. */
const NOT_RUN: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable', 'refused']);

/** Describes the failure of a call for which a server wanted something that it had been told is not supported. */
const unsupportedCall = (wanted: object): string =>
  `${'elicitation' in wanted ? 'The server wanted to ask the user something, and there is nobody to ask here.' : 'The server wanted something that is not supported here.'} The call did not finish. It may have made changes; check before calling again.`;

/** Describes the failure of a call that never got an answer. */
const lostCall = ({ code, detail }: McpProblem, hasBegun: boolean): string =>
  !hasBegun && NOT_RUN.has(code) ? `Not run. ${detail}` : `${detail} ${MAY_HAVE_RUN}`;

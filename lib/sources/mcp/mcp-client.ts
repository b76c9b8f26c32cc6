import { proxy, type Remote } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import type { CompletionRequest } from './completion.ts';
import type { HttpAccess, McpRoute } from './http-session.ts';
import { MCP_LIMITS } from './limits.ts';
import type {
  McpCaller,
  McpContent,
  McpContentRequest,
  McpEvent,
  McpHost,
  McpOpened,
  McpSuggestions,
} from './mcp-host.ts';
import type { McpProblem } from './problem.ts';
import type { McpOutcome } from './result.ts';
import type { McpListing } from './server-lists.ts';
import type { TokenSource } from './session-auth.ts';

/** The additional time that the worker has beyond the time limits for the server, in milliseconds. */
const SLACK_MS = 5_000;

/** The time limit for stopping a call, in milliseconds. */
const STOP_MS = 2_000;

/** The connection to a tool server, with an `McpHost` in a worker, which is ended if it does not answer in time. */
export class McpClient {
  readonly #worker: EndableWorker<McpHost>;
  /**
   * Has a promise that rejects when the worker is ended, so that nobody goes on waiting for the worker. `#lose` then puts a new
   * one in its place.
   */
  #lost = lost();
  /** The server's address; empty before `open`. */
  #url = '';
  #onEvent: ((event: McpEvent) => void) | undefined;

  constructor(start: () => Worker) {
    this.#worker = new EndableWorker<McpHost>({
      start,
      failure: (message) => new Error(message === '' ? 'The connection’s worker ended.' : message),
    });
  }

  /**
   * Connects. Never rejects. `known`: the route that worked before, which is tried first. `onEvent`: called when the server
   * reports a change, and when the connection has closed. `tokens`: the person's login at the server.
   */
  open(
    access: HttpAccess,
    known: McpRoute | undefined,
    onEvent: (event: McpEvent) => void,
    tokens?: TokenSource,
  ): Promise<McpOpened> {
    this.#onEvent = onEvent;
    this.#url = access.url;
    // By either route, the server may take its time to say what it speaks, to say hello, and to list its tools.
    const limitMs = 4 * MCP_LIMITS.connectMs + 2 * MCP_LIMITS.listMs;
    return this.#run(
      limitMs,
      (host) => host.open(access, known, proxy(onEvent), tokens && proxy(tokens)) as Promise<McpOpened>,
    ).catch(problemIn);
  }

  /** Lists what the server offers now. Never rejects. */
  list(): Promise<McpListing | { problem: McpProblem }> {
    return this.#run(MCP_LIMITS.listMs, (host) => host.list() as Promise<McpListing | { problem: McpProblem }>).catch(
      problemIn,
    );
  }

  /** Calls a tool by the server's name for it. Never rejects. */
  async call(
    name: string,
    args: Record<string, unknown>,
    { signal, ...caller }: McpCaller & { signal: AbortSignal },
  ): Promise<McpOutcome> {
    if (signal.aborted) return { type: 'failure', code: 'aborted', message: 'Not run: it was stopped first.' };
    try {
      return await this.#stoppable(
        signal,
        MCP_LIMITS.callMs,
        (host, id) => host.call(id, name, args, proxy(caller)) as Promise<McpOutcome>,
      );
    } catch (error) {
      const host = hostOf(new URL(this.#url));
      caller.onRequest({ host, sent: 0, received: 0, refused: 'It was ended, and it is not known what was sent.' });
      const message = `${problemIn(error).problem.detail} ${MAY_HAVE_RUN}`;
      return { type: 'failure', code: 'failed', message };
    }
  }

  /** Reads a resource, or has the server fill in a prompt. Never rejects: a failure is a `problem`. */
  async content(request: McpContentRequest, signal: AbortSignal): Promise<McpContent> {
    if (signal.aborted) return { problem: { code: 'failed', detail: 'It was stopped.' } };
    return this.#stoppable(
      signal,
      MCP_LIMITS.listMs,
      (host, id) => host.content(id, request) as Promise<McpContent>,
    ).catch(problemIn);
  }

  /** Returns the values that the server suggests for an argument. Never rejects. */
  async complete(request: CompletionRequest, signal: AbortSignal): Promise<McpSuggestions> {
    if (signal.aborted) return { values: [] };
    return this.#stoppable(
      signal,
      MCP_LIMITS.completeMs,
      (host, id) => host.complete(id, request) as Promise<McpSuggestions>,
    ).catch(problemIn);
  }

  /** Runs a task in the worker, and cancels it there when the signal fires. */
  async #stoppable<Value>(
    signal: AbortSignal,
    limitMs: number,
    task: (host: Remote<McpHost>, id: string) => Promise<Value>,
  ): Promise<Value> {
    const id = crypto.randomUUID();
    const stop = () => {
      // If the worker does not answer, `#run` gives the connection up, and the call reports that.
      this.#run(STOP_MS, (host) => host.cancel(id) as Promise<void>).catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#run(limitMs, (host) => task(host, id));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the connection, and the calls that are under way. */
  end(): void {
    this.#lose(new Error('The connection was closed.'));
  }

  async #run<Value>(limitMs: number, task: (host: Remote<McpHost>) => Promise<Value>): Promise<Value> {
    const late = () => new Error('The connection’s worker did not answer in time.');
    try {
      const timeoutMs = limitMs + SLACK_MS;
      return await Promise.race([this.#worker.run(task, { timeoutMs, late }), this.#lost.promise]);
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  #lose(error: Error): void {
    const { reject } = this.#lost;
    this.#lost = lost();
    this.#worker.end();
    reject(error);
    this.#onEvent?.('closed');
  }
}

/** The methods of an `McpClient`, for implementations that use no worker, such as those of tests. */
export type McpConnection = Pick<McpClient, 'open' | 'list' | 'call' | 'content' | 'complete' | 'end'>;

function lost(): PromiseWithResolvers<never> {
  const created = Promise.withResolvers<never>();
  // Those who wait for it get the error; there may be none.
  created.promise.catch(() => undefined);
  return created;
}

const problemIn = (error: unknown): { problem: McpProblem } => ({
  problem: { code: 'failed', detail: messageOf(error) },
});

/** The path at which the studio serves the script of a connection's worker, which is built separately. */
export const MCP_WORKER_FILE = '/workers/mcp.js';

/** Starts the worker for an `McpClient`, which holds the connection to one tool server. */
export const startMcpWorker = (): Worker => new Worker(MCP_WORKER_FILE, { type: 'module', name: 'tool server' });

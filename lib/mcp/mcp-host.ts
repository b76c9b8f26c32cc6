import type { CallProgress } from '#lib/tools/core/tool-call.ts';
import type { HttpAccess, HttpRoute, McpRoute } from './http-session.ts';
import { openHttpSession } from './http-session.ts';
import type { McpProblem } from './problem.ts';
import type { McpOutcome } from './result.ts';
import { McpError, type McpListing, type McpSession } from './session.ts';
import type { TokenSource } from './session-auth.ts';

/** What came of connecting, as plain data. */
export type McpOpened = { listing: McpListing; route: McpRoute } | { problem: McpProblem };

/** What a server makes happen by itself. */
export type McpEvent = 'changed' | 'closed';

/** How often one kind of event is passed on at most, in milliseconds. */
const EVENT_EVERY_MS = 250;

/** One connection to a server, for whoever is in another thread: all that goes in and out is plain data. */
export class McpHost {
  readonly #routes: readonly HttpRoute[];
  readonly #calls = new Map<string, AbortController>();
  #session: McpSession | undefined;

  constructor(routes: readonly HttpRoute[]) {
    this.#routes = routes;
  }

  /** Connects, by the route that has worked before if one is named. Ends an earlier connection. `tokens`: a login there. */
  async open(
    access: HttpAccess,
    known: McpRoute | undefined,
    onEvent: (event: McpEvent) => void,
    tokens?: TokenSource,
  ): Promise<McpOpened> {
    await this.close();
    const tell = seldom(onEvent);
    const routes = [...this.#routes].sort((one, other) => Number(other.name === known) - Number(one.name === known));
    try {
      const options = {
        onChange: () => tell('changed'),
        onClose: () => {
          if (this.#session === session) onEvent('closed');
        },
      };
      const { session, route, listing } = await openHttpSession(access, routes, options, tokens);
      this.#session = session;
      return { listing, route };
    } catch (error) {
      return { problem: problemIn(error) };
    }
  }

  /** What the server offers now. */
  async list(): Promise<McpListing | { problem: McpProblem }> {
    if (this.#session === undefined) return { problem: { code: 'unreachable', detail: 'The connection has ended.' } };
    return this.#session.list().catch((error: unknown) => ({ problem: problemIn(error) }));
  }

  /** Calls a tool. `id`: names the call for `cancel`. */
  async call(
    id: string,
    name: string,
    args: Record<string, unknown>,
    onProgress: (progress: CallProgress) => void,
  ): Promise<McpOutcome> {
    if (this.#session === undefined)
      return {
        ...{ type: 'failure', code: 'failed', isDisconnected: true },
        message: 'Not run. The connection to the server has ended. Call again.',
      };
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      return await this.#session.call(name, args, { signal: controller.signal, onProgress: seldom(onProgress) });
    } finally {
      this.#calls.delete(id);
    }
  }

  cancel(id: string): void {
    this.#calls.get(id)?.abort();
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close().catch(() => undefined);
  }
}

const problemIn = (error: unknown): McpProblem =>
  error instanceof McpError
    ? error.problem
    : { code: 'failed', detail: error instanceof Error ? error.message : String(error) };

/** Passes on the first value at once, and the latest of those that follow, but not more often than it may. */
function seldom<Value>(tell: (value: Value) => void): (value: Value) => void {
  let waiting: { value: Value } | undefined;
  let isPausing = false;
  const pass = (value: Value) => {
    tell(value);
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined) pass(next.value);
    }, EVENT_EVERY_MS);
  };
  return (value) => {
    if (isPausing) waiting = { value };
    else pass(value);
  };
}

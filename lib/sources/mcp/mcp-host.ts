import { messageOf } from '#lib/base/message-of.ts';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { CallProgress } from '#lib/tools/core/tool-call.ts';
import type { EgressRequest } from '#lib/tools/egress/egress.ts';
import type { AttachedContent } from './attached-content.ts';
import type { CompletionRequest } from './completion.ts';
import type { HttpAccess, HttpRoute, McpRoute } from './http-session.ts';
import { openHttpSession } from './http-session.ts';
import { McpError } from './mcp-error.ts';
import type { McpProblem } from './problem.ts';
import type { McpOutcome } from './result.ts';
import type { McpListing } from './server-lists.ts';
import type { McpSession } from './session.ts';
import type { TokenSource } from './session-auth.ts';

/** The result of connecting to a tool server, as plain data: what it offers and the route to it, or the problem. */
export type McpOpened = { listing: McpListing; route: McpRoute } | { problem: McpProblem };

/** An event of a connection: the server says that what it offers has `changed`, or the connection has `closed`. */
export type McpEvent = 'changed' | 'closed';

/** The minimum interval between two events of one kind that are passed on, in milliseconds. */
const EVENT_EVERY_MS = 250;

/** Callbacks to the caller of a tool while the tool runs. Their arguments and results are plain data. */
export interface McpCaller {
  onProgress(progress: CallProgress): void;
  /** Asks the person what the server wants to know. */
  onForm(form: Omit<CallForm, 'from'>): Promise<FormAnswer>;
  /** Called with each request that the call has sent. */
  onRequest(request: EgressRequest): void;
}

/** The content of a resource or a prompt, to be put into a message, or the reason why it cannot be had. */
export type McpContent = AttachedContent | { problem: McpProblem };

/** A request for content: a resource by its address, by a template of its address with values, or a prompt with arguments. */
export type McpContentRequest =
  | { uri: string }
  | { uriTemplate: string; args: Record<string, string> }
  | { prompt: string; args: Record<string, string> };

/** The values that a server suggests for an argument, or the problem if there can be none. */
export type McpSuggestions = { values: string[] } | { problem: McpProblem };

/**
 * One connection to a tool server. It is made to run in a worker, where `McpClient` uses it: all arguments and results are
 * plain data.
 */
export class McpHost {
  readonly #routes: readonly HttpRoute[];
  readonly #calls = new Map<string, AbortController>();
  #session: McpSession | undefined;

  constructor(routes: readonly HttpRoute[]) {
    this.#routes = routes;
  }

  /**
   * Connects, by the route `known` first if one is named. Ends an earlier connection. `onEvent`: called when the server
   * reports a change, and when the connection has closed. `tokens`: the person's login at the server.
   */
  async open(
    access: HttpAccess,
    known: McpRoute | undefined,
    onEvent: (event: McpEvent) => void,
    tokens?: TokenSource,
  ): Promise<McpOpened> {
    await this.close();
    const tell = seldom(onEvent);
    const routes = this.#routes
      .filter(({ reaches }) => reaches?.(access.url) ?? true)
      .sort((one, other) => Number(other.name === known) - Number(one.name === known));
    // One that ends before it is open is told of by the result.
    let open: McpSession | undefined;
    try {
      const options = {
        asksForms: true,
        onChange: () => tell('changed'),
        onClose: () => {
          if (open !== undefined && this.#session === open) onEvent('closed');
        },
      };
      const { session, route, listing } = await openHttpSession(access, routes, options, tokens);
      open = session;
      this.#session = session;
      return { listing, route };
    } catch (error) {
      return { problem: problemIn(error) };
    }
  }

  /** Lists what the server offers now. */
  async list(): Promise<McpListing | { problem: McpProblem }> {
    if (this.#session === undefined) return { problem: { code: 'unreachable', detail: 'The connection was closed.' } };
    return this.#session.list().catch((error: unknown) => ({ problem: problemIn(error) }));
  }

  /** Calls a tool. `id`: names the call for `cancel`. */
  async call(
    id: string,
    name: string,
    args: Record<string, unknown>,
    { onProgress, onForm, onRequest }: McpCaller,
  ): Promise<McpOutcome> {
    if (this.#session === undefined)
      return {
        type: 'failure',
        code: 'failed',
        isDisconnected: true,
        message: 'Not run: the connection to the server was closed. Call again.',
      };
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const { signal } = controller;
      return await this.#session.call(name, args, { signal, onForm, onRequest, onProgress: seldom(onProgress) });
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Reads a resource, or has the server fill in a prompt. `id`: names the request for `cancel`. */
  content(id: string, request: McpContentRequest): Promise<McpContent> {
    return this.#ask(id, (session, signal) => {
      if ('uri' in request) return session.readResource(request.uri, signal);
      return 'prompt' in request
        ? session.getPrompt(request.prompt, request.args, signal)
        : session.readTemplate(request.uriTemplate, request.args, signal);
    });
  }

  /**
   * Returns the values that the server suggests for an argument of one of its prompts or resource templates. `id`: names the
   * request for `cancel`.
   */
  complete(id: string, request: CompletionRequest): Promise<McpSuggestions> {
    return this.#ask(id, async (session, signal) => ({ values: await session.complete(request, signal) }));
  }

  /** Sends the server a request that `cancel` can stop. A failure is a `problem`. */
  async #ask<Value>(
    id: string,
    ask: (session: McpSession, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value | { problem: McpProblem }> {
    const session = this.#session;
    if (session === undefined) return { problem: { code: 'unreachable', detail: 'The connection was closed.' } };
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      return await ask(session, controller.signal);
    } catch (error) {
      return { problem: problemIn(error) };
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Stops the call or the request that this `id` names, if it is still under way. */
  cancel(id: string): void {
    this.#calls.get(id)?.abort();
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    // The session is over for this side, whatever the server answers.
    await session?.close().catch(() => undefined);
  }
}

const problemIn = (error: unknown): McpProblem =>
  error instanceof McpError ? error.problem : { code: 'failed', detail: messageOf(error) };

/**
 * Returns a function that passes its first value to `tell` at once, and of those that follow only the latest, at most one in
 * each `EVENT_EVERY_MS`.
 */
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

import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/client';
import { messageOf } from '#lib/base/message-of.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import type { ProgramTransport } from '#lib/sources/mcp/programs/program-transport.ts';
import { MCP_PROGRAM_ENDED } from '#lib/wire/mcp.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';
import { MessageStream } from './message-stream.ts';

/** A request that has no answer yet. */
interface Pending {
  method: string;
  progressToken: unknown;
  stream: MessageStream;
}

interface ProgramConnectionOptions {
  transport: ProgramTransport;
  /** Checks whether one more connection may be told when its program's tools change. */
  mayListen(): boolean;
  /** Called once, when the program has ended. `problem`: why; undefined if `end` was called. */
  onEnd(problem: string | undefined): void;
}

/**
 * One page's connection to a tool server, whose program runs for this connection alone. Passes messages on unchanged in both
 * directions, those of the program in the response on which the page waits for them.
 */
export class ProgramConnection {
  /** When the connection was last used, in milliseconds since the epoch. */
  usedAt = Date.now();
  readonly startedAt = Date.now();
  readonly #options: ProgramConnectionOptions;
  readonly #pending = new Map<RequestId, Pending>();
  /** The stream for messages of the program that belong to no request; undefined if the page has not opened one. */
  #listener: MessageStream | undefined;
  /** Whether the page has got a list of the program's tools, which a change would make outdated. */
  #hasListed = false;
  /**
   * Whether the page has closed the stream that reports changes to it, so that it is probably gone. The next message sets
   * it back to false.
   */
  #isLeft = false;
  #isOver = false;

  constructor(options: ProgramConnectionOptions) {
    this.#options = options;
    options.transport.onmessage = (message) => this.#receive(message);
    options.transport.onclose = () => this.#finish();
  }

  /** Whether a request is under way, besides those that only wait for reports of changes. */
  get isBusy(): boolean {
    return [...this.#pending.values()].some(({ method }) => method !== LISTEN);
  }

  /** Whether the page is told when the program's tools change. */
  get isListening(): boolean {
    return this.#listener !== undefined || [...this.#pending.values()].some(({ method }) => method === LISTEN);
  }

  /**
   * Checks whether the connection has been unused for so long that its program may be ended. `now`: in milliseconds since the
   * epoch.
   */
  isIdle(now: number): boolean {
    const { idleMs, leftMs } = STUDIO_SERVER_LIMITS;
    return !this.isBusy && now - this.usedAt > (this.#isLeft ? leftMs : idleMs);
  }

  /**
   * Passes a message on to the program. Returns the response to the page: for a request, a stream that ends with the answer, or
   * an error if too many requests are under way; for any other message, an empty response with status 202. Throws `HttpProblem`
   * 400 if a request with the same id is under way.
   */
  post(message: JSONRPCMessage): Response {
    this.#use();
    if (!isJSONRPCRequest(message)) {
      void this.#send(message);
      if ('method' in message && message.method === 'notifications/cancelled') this.#forget(message.params?.requestId);
      return new Response(null, { status: 202 });
    }
    if (this.#pending.has(message.id))
      throw new HttpProblem(400, 'invalid-body', 'A request with this id is under way.');
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) return Response.json(failure(message.id, -32_000, refusal));
    return this.#request(message);
  }

  /**
   * Opens the stream for the program's messages that belong to no request. Throws `HttpProblem` 405 if the page has opened one
   * already, or if too many connections get reports of changes.
   */
  listen(): Response {
    this.#use();
    if (this.#listener !== undefined || !this.#options.mayListen())
      throw new HttpProblem(405, 'no-stream', 'Other connections are already told of changes.');
    const stream = new MessageStream(() => {
      if (this.#listener !== stream) return;
      this.#listener = undefined;
      this.#isLeft = true;
      this.usedAt = Date.now();
    });
    this.#listener = stream;
    return stream.response;
  }

  /** Ends the program. The requests that are under way are answered with an error. */
  async end(): Promise<void> {
    this.#finish();
    await this.#options.transport.close();
  }

  #use(): void {
    this.usedAt = Date.now();
    this.#isLeft = false;
  }

  #refusalOf({ method }: JSONRPCRequest): string | undefined {
    if (this.#pending.size >= STUDIO_SERVER_LIMITS.requests)
      return `Not run. This connection has ${STUDIO_SERVER_LIMITS.requests} requests under way.`;
    return method === LISTEN && !this.isListening && !this.#options.mayListen()
      ? 'Other connections are already told of changes.'
      : undefined;
  }

  #request(message: JSONRPCRequest): Response {
    const { id, method, params } = message;
    const stream = new MessageStream(() => {
      if (!this.#pending.delete(id)) return;
      if (method === LISTEN) this.#isLeft = true;
      this.usedAt = Date.now();
      // Nobody waits for the answer any more.
      const cancelled = { method: 'notifications/cancelled', params: { requestId: id, reason: 'The page is gone.' } };
      void this.#send({ jsonrpc: '2.0', ...cancelled });
    });
    this.#pending.set(id, { method, progressToken: params?._meta?.progressToken, stream });
    void this.#send(message);
    return stream.response;
  }

  /** Forgets a request that the page has cancelled, and ends its stream. */
  #forget(id: unknown): void {
    const pending = this.#pending.get(id as RequestId);
    this.#pending.delete(id as RequestId);
    pending?.stream.end();
  }

  /**
   * Sends a message to the program. Never rejects: a request that cannot be sent is answered with the reason, and any other
   * message is dropped.
   */
  async #send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#options.transport.send(message);
    } catch (error) {
      const reason = messageOf(error);
      if (isJSONRPCRequest(message)) this.#answer(failure(message.id, MCP_PROGRAM_ENDED, `Not run. ${reason}`));
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCResponse(message)) {
      this.#answer(message);
      return;
    }
    const stream = this.#streamFor(message);
    if (stream !== undefined) stream.send(message);
    // Nobody can be told, so the next call has to connect, and read what is offered then.
    else if (this.#hasListed && message.method === 'notifications/tools/list_changed') void this.end();
  }

  #answer(message: Exclude<JSONRPCMessage, JSONRPCRequest | { method: string }>): void {
    const { id } = message;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    this.#hasListed ||= pending.method === 'tools/list';
    this.usedAt = Date.now();
    pending.stream.end(message);
  }

  /** Returns the stream on which the page expects a message of the program that is no answer; undefined if there is none. */
  #streamFor({ method, params }: Exclude<JSONRPCMessage, { result: unknown } | { error: unknown }>) {
    const all = [...this.#pending.values()];
    if (method === 'notifications/progress')
      return all.find(({ progressToken }) => progressToken !== undefined && progressToken === params?.progressToken)
        ?.stream;
    const subscription = params?._meta?.[SUBSCRIPTION_ID_META_KEY];
    if (typeof subscription === 'string' || typeof subscription === 'number')
      return this.#pending.get(subscription)?.stream;
    // A message that belongs to no request goes along with any, except a handshake.
    return this.#listener ?? all.find((pending) => !HANDSHAKE.has(pending.method))?.stream;
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { problem } = this.#options.transport;
    for (const [id, { method, stream }] of this.#pending)
      stream.end(failure(id, MCP_PROGRAM_ENDED, lost(method, problem)));
    this.#pending.clear();
    this.#listener?.end();
    this.#listener = undefined;
    this.#options.onEnd(problem);
  }
}

/** The request by which a page waits for reports of changes. */
const LISTEN = 'subscriptions/listen';

/** The methods of the requests with which a connection to a tool server (MCP) begins. */
export const HANDSHAKE: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Returns the message for a request whose program ends before it has answered. */
const lost = (method: string, problem = 'The server’s program was ended.'): string =>
  method === 'tools/call' ? `${problem} ${MAY_HAVE_RUN}` : `${problem} The studio’s log has what it said.`;

const failure = (id: RequestId, code: number, message: string): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

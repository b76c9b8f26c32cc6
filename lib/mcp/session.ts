import {
  Client,
  InsufficientScopeError,
  type ProtocolEra,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { MCP_PROGRAM_ENDED } from '#lib/api/mcp.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import type { RefusedTool } from '#lib/tools/core/foreign-definition.ts';
import { type AttachedContent, promptContent, resourceContent } from './attached-content.ts';
import { ResponseTooLarge } from './bounded-fetch.ts';
import { BROKEN_STREAM, endBrokenRequests } from './broken-streams.ts';
import type { CallRequests } from './call-requests.ts';
import { type McpDefinition, readDefinitions } from './definition.ts';
import { MCP_LIMITS } from './limits.ts';
import { type ListEntry, type ListName, ListSieve, type ReadEntries } from './list-sieve.ts';
import { type McpPrompt, type McpResource, readPrompts, readResources } from './listed-content.ts';
import type { McpProblem } from './problem.ts';
import { RelayError } from './relay-fetch.ts';
import type { McpOutcome } from './result.ts';
import { type McpCallOptions, McpToolCall } from './tool-call.ts';

/** A server that has answered, and what it offers. Plain data. */
export interface McpListing {
  /** What the server calls itself. */
  title: string;
  era: ProtocolEra;
  tools: McpDefinition[];
  prompts: McpPrompt[];
  resources: McpResource[];
  /** What is not offered: tools by their names, others such as `prompts/review`. */
  refused: RefusedTool[];
}

/** Thrown when a server cannot be used. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly problem: McpProblem;

  constructor(problem: McpProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export interface McpSessionOptions {
  /** Called when the server says that its tools, prompts or resources have changed. */
  onChange(): void;
  /** Called when the connection has ended by itself. */
  onClose(): void;
  /** Whether calls can ask the person what the server wants to know; if not, it is told that nobody can. */
  asksForms?: boolean;
  /** Knows which requests belong to which call; absent where there are none. */
  requests?: CallRequests;
}

/** The lists are always the server's newest. */
const LIST_OPTIONS = { timeout: MCP_LIMITS.listMs, cacheMode: 'refresh' } as const;

const BAD_HEADER = 'Its schema asks for headers in a way that the protocol does not allow.';

/** How long to wait before listening again to a server that stopped telling of changes, in milliseconds; then twice as long. */
const LISTEN_AGAIN_MS = { first: 1_000, max: 60_000 };

/**
 * A connection to a tool server, in either era of the protocol. All that a server can ask for is what the person knows, in
 * a call; for anything else, there is no handler.
 */
export class McpSession {
  readonly #client: Client;
  readonly #sieve: ListSieve;
  readonly #lists = new SerialQueue();
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
    // Whoever is there first sees each message before the client, which keeps and calls it.
    transport.onmessage = (message) => sieve.take(message);
    endBrokenRequests(transport);
    const session = new McpSession(client, sieve, options.requests);
    client.onclose = () => {
      session.#closed.abort();
      onClose();
    };
    if (asksForms)
      client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await session.#ask(params)) }));
    try {
      await client.connect(transport, { timeout: MCP_LIMITS.connectMs });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw new McpError(problemOf(error));
    }
    void session.#listen(onChange);
    return session;
  }

  private constructor(client: Client, sieve: ListSieve, requests: CallRequests | undefined) {
    this.#client = client;
    this.#sieve = sieve;
    this.#requests = requests;
  }

  /** What the server offers now. Rejects with `McpError`. */
  list(): Promise<McpListing> {
    return this.#lists.run(async () => {
      try {
        const [tools, prompts, resources] = await Promise.all([
          this.#tools(),
          this.#offered('prompts', readPrompts),
          this.#offered('resources', readResources),
        ]);
        const { title, name = '' } = this.#client.getServerVersion() ?? {};
        return {
          title: (title ?? name).slice(0, MCP_LIMITS.name),
          era: this.#client.getProtocolEra() ?? 'legacy',
          tools: tools.offered,
          prompts: prompts.offered,
          resources: resources.offered,
          refused: [...tools.refused, ...prompts.refused, ...resources.refused],
        };
      } catch (error) {
        throw new McpError(problemOf(error));
      }
    });
  }

  async #tools(): Promise<{ offered: McpDefinition[]; refused: RefusedTool[] }> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return { offered: [], refused: [] };
    let names = new Set<string>();
    const { entries, refused } = await this.#read('tools', async () => {
      const { tools } = await this.#client.listTools(undefined, LIST_OPTIONS);
      names = new Set(tools.map(({ name }) => name));
    });
    const read = await readDefinitions(entries.filter(({ name }) => names.has(name)));
    // The client leaves out those whose arguments it could not send as the protocol asks for.
    const left = entries.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, reason: BAD_HEADER }));
    return { offered: read.tools, refused: [...refused, ...left, ...read.refused] };
  }

  /** What a list has besides tools. If it cannot be read, that is said, and the tools are not affected. */
  async #offered<List extends 'prompts' | 'resources', Entry>(
    list: List,
    read: (entries: ListEntry<List>[]) => { offered: Entry[]; refused: RefusedTool[] },
  ): Promise<{ offered: Entry[]; refused: RefusedTool[] }> {
    if (this.#client.getServerCapabilities()?.[list] === undefined) return { offered: [], refused: [] };
    try {
      const { entries, refused } = await this.#read(list, async () => {
        if (list === 'prompts') await this.#client.listPrompts(undefined, LIST_OPTIONS);
        else await this.#client.listResources(undefined, LIST_OPTIONS);
      });
      const { offered, refused: others } = read(entries);
      const all = [...refused, ...others].slice(0, MCP_LIMITS.tools);
      return { offered, refused: all.map(({ name, reason }) => ({ name: `${list}/${name}`, reason })) };
    } catch (error) {
      return { offered: [], refused: [{ name: list, reason: problemOf(error).detail }] };
    }
  }

  /** The entries of a list that are well-formed, while it is asked for. */
  async #read<List extends ListName>(list: List, ask: () => Promise<void>): Promise<ReadEntries<List>> {
    this.#sieve.begin(list);
    let read: ReadEntries<List>;
    try {
      await ask();
    } finally {
      read = this.#sieve.end(list);
    }
    return read;
  }

  /** Reads a resource. Rejects with `McpError`. */
  async readResource(uri: string, signal: AbortSignal): Promise<AttachedContent> {
    return this.#get(() =>
      this.#client.readResource({ uri }, { signal, timeout: MCP_LIMITS.listMs, cacheMode: 'bypass' }),
    ).then(resourceContent);
  }

  /** Fills in a prompt. Rejects with `McpError`. */
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
          message: `The server did not answer within ${MCP_LIMITS.silenceMs / 1_000} seconds. The call may have had effects; check before calling again.`,
        };
      // A server that has forgotten its session runs nothing.
      if (error instanceof SdkHttpError && error.status === 404 && !call.hasBegun)
        return {
          ...{ type: 'failure', code: 'failed', isDisconnected: true },
          message: 'Not run. The server no longer knew this connection. Call again.',
        };
      if (error instanceof ProtocolError && error.code === MCP_PROGRAM_ENDED)
        return { type: 'failure', code: 'failed', message: error.message, problem: problemOf(error) };
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

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#client.close();
  }

  /** Passes on a question that a server of the earlier era asks, which does not say in which call. */
  async #ask(params: unknown): Promise<FormAnswer> {
    const [call, ...others] = this.#calls;
    return call === undefined || others.length > 0 ? { action: 'decline' } : call.ask(params);
  }

  /** Listens again whenever a server of the later era stops telling of changes, as what it offers may have changed since. */
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

/** Problems of a server, or of the login there, and not of one call. */
const OF_SERVER: ReadonlySet<string> = new Set(['unreachable', 'needs-login', 'needs-scope', 'login-unavailable']);

/** Problems of calls that no server has run. */
const NOT_RUN: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable', 'refused']);

/** What is known of a call whose answer never came. */
const lostCall = ({ code, detail }: McpProblem, hasBegun: boolean): string =>
  !hasBegun && NOT_RUN.has(code)
    ? `Not run. ${detail}`
    : `${detail} The call may have had effects; check before calling again.`;

/** How deep an error's cause may lie. */
const CAUSES_MAX = 5;

/** An error, and what caused it. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    yield cause;
    const data: unknown = cause instanceof SdkError ? cause.data : undefined;
    cause = cause.cause ?? (typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined);
  }
}

/** What an error of a connection means. */
export function problemOf(error: unknown): McpProblem {
  const problems = [...causesOf(error)].map(knownProblem);
  const message = error instanceof Error ? error.message : String(error);
  return problems.find((problem) => problem !== undefined) ?? { code: 'failed', detail: firstLine(message) };
}

function knownProblem(error: Error): McpProblem | undefined {
  if (error instanceof McpError) return error.problem;
  if (error instanceof InsufficientScopeError) return neededScope(error);
  if (error instanceof UnauthorizedError) return { code: 'needs-login', detail: 'The server wants you to log in.' };
  if (error instanceof SdkHttpError) {
    const { status } = error;
    if (status === 401) return { code: 'needs-login', detail: 'The server wants you to log in (401).' };
    if (status === 403) return { code: 'refused', detail: 'The server refused this request (403).' };
    if (status === 404 || status === 405)
      return { code: 'not-mcp', detail: `There is no MCP server at this address (${status}).` };
    return { code: 'failed', detail: `The server answered with an error (${status ?? 'no status'}).` };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { code: 'slow', detail: `The server did not answer within ${MCP_LIMITS.connectMs / 1_000} seconds.` };
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)
    return { code: 'failed', detail: `A list of the server has more than ${MCP_LIMITS.pages} pages.` };
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return { code: 'failed', detail: 'The server’s answer is not what the protocol asks for.' };
  if (error instanceof ProtocolError && error.code === MCP_PROGRAM_ENDED)
    return { code: 'ended', detail: firstLine(error.message) };
  if (error instanceof SyntaxError) return { code: 'failed', detail: 'The server’s answer is not valid JSON.' };
  if (error instanceof RelayError)
    return { code: error.code === 'endpoint-unreachable' ? 'unreachable' : 'refused', detail: error.message };
  if (error instanceof ResponseTooLarge) return { code: 'failed', detail: error.message };
  return error instanceof TypeError ? { code: 'unreachable', detail: 'The server cannot be reached.' } : undefined;
}

/** A login that permits too little: what the server wants besides. */
function neededScope({ requiredScope, resourceMetadataUrl }: InsufficientScopeError): McpProblem {
  const challenge = {
    ...(resourceMetadataUrl !== undefined && { metadataUrl: resourceMetadataUrl.href }),
    ...(requiredScope !== undefined && { scope: requiredScope }),
  };
  return { code: 'needs-scope', detail: 'Your login does not permit this (403).', challenge };
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 500);

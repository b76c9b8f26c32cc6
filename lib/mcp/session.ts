import {
  Client,
  type ProtocolEra,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { RefusedTool } from '#lib/tools/core/foreign-definition.ts';
import type { CallProgress } from '#lib/tools/core/tool-call.ts';
import { ResponseTooLarge } from './bounded-fetch.ts';
import { type ListedTool, type McpDefinition, readDefinitions } from './definition.ts';
import { MCP_LIMITS } from './limits.ts';
import type { McpProblem } from './problem.ts';
import { RelayError } from './relay-fetch.ts';
import { type McpOutcome, outcomeOf } from './result.ts';

/** A server that has answered, and what it offers. Plain data. */
export interface McpListing {
  /** What the server calls itself. */
  title: string;
  era: ProtocolEra;
  tools: McpDefinition[];
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
  /** Called when the server says that its tools have changed. */
  onChange(): void;
  /** Called when the connection has ended by itself. */
  onClose(): void;
}

/** A call that is under way. */
export interface McpCallOptions {
  signal: AbortSignal;
  /** Called with each word of progress. */
  onProgress?(progress: CallProgress): void;
}

/** A connection to a tool server, in either era of the protocol. A server asks it for nothing: it has no such handlers. */
export class McpSession {
  readonly #client: Client;

  /** Connects. Rejects with `McpError`. */
  static async open(transport: Transport, { onChange, onClose }: McpSessionOptions): Promise<McpSession> {
    const client = new Client(
      { name: 'roundtrip-studio', version: '1' },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: MCP_LIMITS.connectMs } },
        listMaxPages: MCP_LIMITS.pages,
        listChanged: { tools: { autoRefresh: false, onChanged: () => onChange() } },
        // Whoever offers the tools checks results, within a number of steps that a schema cannot exceed.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    client.onclose = onClose;
    try {
      await client.connect(transport, { timeout: MCP_LIMITS.connectMs });
      return new McpSession(client);
    } catch (error) {
      await client.close().catch(() => undefined);
      throw new McpError(problemOf(error));
    }
  }

  private constructor(client: Client) {
    this.#client = client;
  }

  /** What the server offers now. Rejects with `McpError`. */
  async list(): Promise<McpListing> {
    try {
      const offersTools = this.#client.getServerCapabilities()?.tools !== undefined;
      const listed = offersTools
        ? (await this.#client.listTools(undefined, { timeout: MCP_LIMITS.listMs, cacheMode: 'refresh' })).tools
        : [];
      const { title, name = '' } = this.#client.getServerVersion() ?? {};
      return {
        title: (title ?? name).slice(0, MCP_LIMITS.name),
        era: this.#client.getProtocolEra() ?? 'legacy',
        ...(await readDefinitions(listed as readonly ListedTool[])),
      };
    } catch (error) {
      throw new McpError(problemOf(error));
    }
  }

  /** Calls a tool by the server's name for it. Never rejects. */
  async call(name: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpOutcome> {
    try {
      const result = await this.#client.callTool(
        { name, arguments: args },
        {
          signal: options.signal,
          timeout: MCP_LIMITS.silenceMs,
          resetTimeoutOnProgress: true,
          maxTotalTimeout: MCP_LIMITS.callMs,
          onprogress: ({ progress, total, message }) =>
            options.onProgress?.({
              done: progress,
              ...(total !== undefined && { of: total }),
              ...(message !== undefined && { text: message.slice(0, MCP_LIMITS.description) }),
            }),
        },
      );
      return outcomeOf(result);
    } catch (error) {
      if (options.signal.aborted) return { type: 'failure', code: 'aborted', message: 'Stopped by the user.' };
      if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
        return {
          type: 'failure',
          code: 'timed-out',
          message: `The server did not answer within ${MCP_LIMITS.silenceMs / 1_000} seconds. The call may have had effects; check before calling again.`,
        };
      // A server that has forgotten its session runs nothing.
      if (error instanceof SdkHttpError && error.status === 404)
        return {
          ...{ type: 'failure', code: 'failed', isDisconnected: true },
          message: 'Not run. The server no longer knew this connection. Call again.',
        };
      if (error instanceof ProtocolError)
        return { type: 'failure', code: 'failed', message: error.message.slice(0, MCP_LIMITS.resultText) };
      const problem = problemOf(error);
      const isUnusable = problem.code === 'unreachable' || problem.code === 'needs-login';
      return { type: 'failure', code: 'failed', message: lostCall(problem), ...(isUnusable && { problem }) };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** What is known of a call whose answer never came. */
const lostCall = ({ code, detail }: McpProblem): string =>
  code === 'needs-login' || code === 'refused'
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
    return { code: 'failed', detail: `The server’s list of tools has more than ${MCP_LIMITS.pages} pages.` };
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return { code: 'failed', detail: 'The server’s answer is not what the protocol asks for.' };
  if (error instanceof SyntaxError) return { code: 'failed', detail: 'The server’s answer is not valid JSON.' };
  if (error instanceof RelayError)
    return { code: error.code === 'endpoint-unreachable' ? 'unreachable' : 'refused', detail: error.message };
  if (error instanceof ResponseTooLarge) return { code: 'failed', detail: error.message };
  return error instanceof TypeError ? { code: 'unreachable', detail: 'The server cannot be reached.' } : undefined;
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 500);

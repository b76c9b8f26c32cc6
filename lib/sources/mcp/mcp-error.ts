import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { MCP_PROGRAM_ENDED } from '#lib/wire/mcp.ts';
import { ResponseTooLarge } from './bounded-fetch.ts';
import { reasonIn } from './forgotten-session.ts';
import { MCP_LIMITS } from './limits.ts';
import type { McpProblem } from './problem.ts';
import { RelayError } from './relay-fetch.ts';

/** Thrown when a tool server cannot be used. `problem` says why. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly problem: McpProblem;

  constructor(problem: McpProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** The maximum depth to which an error's chain of causes is followed. */
const CAUSES_MAX = 5;

/** Yields an error, and then the errors that caused it, each followed by its own cause. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    yield cause;
    const data: unknown = cause instanceof SdkError ? cause.data : undefined;
    cause = cause.cause ?? (typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined);
  }
}

/**
 * Returns the problem that an error of a connection to a tool server means: that of the first error among it and its causes
 * whose meaning is known, or `failed`.
 */
export function problemOf(error: unknown): McpProblem {
  const problems = [...causesOf(error)].map(knownProblem);
  const message = messageOf(error);
  return problems.find((problem) => problem !== undefined) ?? { code: 'failed', detail: firstLine(message) };
}

function knownProblem(error: Error): McpProblem | undefined {
  if (error instanceof McpError) return error.problem;
  if (error instanceof InsufficientScopeError) return neededScope(error);
  if (error instanceof UnauthorizedError) return { code: 'needs-login', detail: 'The server requires you to log in.' };
  if (error instanceof SdkHttpError) {
    const { status } = error;
    if (status === 401) return { code: 'needs-login', detail: 'The server requires you to log in (401).' };
    if (status === 403) return { code: 'refused', detail: 'The server refused this request (403).' };
    if (status === 404 || status === 405)
      return { code: 'not-mcp', detail: `There is no MCP server at this address (${status}).` };
    const words = firstLine(reasonIn(httpText(error)));
    const said = words === '' ? '.' : `: ${words}`;
    return { code: 'failed', detail: `The server returned an error (${status ?? 'no status'})${said}` };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return { code: 'slow', detail: `The server didn’t respond within ${MCP_LIMITS.connectMs / 1_000} seconds.` };
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)
    return { code: 'failed', detail: `A list from the server has more than ${MCP_LIMITS.pages} pages.` };
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return { code: 'not-mcp', detail: 'The server at this address doesn’t speak MCP.' };
  // The protocol's SDK reads messages by schemas, of whatever copy of the library.
  if (error.name === 'ZodError' || error.name === '$ZodError')
    return { code: 'failed', detail: 'The server’s response doesn’t follow the protocol.' };
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return { code: 'failed', detail: 'The server’s response doesn’t follow the protocol.' };
  if (error instanceof ProtocolError && error.code === MCP_PROGRAM_ENDED)
    return { code: 'ended', detail: firstLine(error.message) };
  if (error instanceof SyntaxError) return { code: 'failed', detail: 'The server’s response isn’t valid JSON.' };
  if (error instanceof RelayError)
    return { code: error.code === 'endpoint-unreachable' ? 'unreachable' : 'refused', detail: error.message };
  if (error instanceof ResponseTooLarge) return { code: 'failed', detail: error.message };
  return error instanceof TypeError ? { code: 'unreachable', detail: 'Can’t reach the server.' } : undefined;
}

/** Returns the body of an error response, as far as the protocol's SDK has kept it; empty if it has not. */
export const httpText = ({ data }: SdkHttpError): string => (typeof data?.text === 'string' ? data.text : '');

/** Makes the problem of a login that permits too little. It names the permissions that the server wants. */
function neededScope({ requiredScope, resourceMetadataUrl }: InsufficientScopeError): McpProblem {
  const challenge = defined({ metadataUrl: resourceMetadataUrl?.href, scope: requiredScope });
  return { code: 'needs-scope', detail: 'Your login doesn’t allow this (403).', challenge };
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 500);

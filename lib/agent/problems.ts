import { APICallError, RetryError } from 'ai';
import type { Problem } from '#lib/messages/message.ts';

/** A step that failed for a reason that the user is told (rule R15). The detail contains no secret. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly problem: Problem;

  constructor(code: string, detail: string) {
    super(detail);
    this.problem = { code, detail };
  }
}

/** A reply that broke off, whatever it was that the request failed with: the endpoint had been reached. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';

  constructor(cause: unknown) {
    super('The model’s stream broke off.', { cause });
  }
}

/** What can go wrong with a model call; the UI has a text and next steps for each. */
export type ProblemCode =
  | 'no-model'
  | 'key-missing'
  | 'key-refused'
  | 'model-not-found'
  | 'no-chat-template'
  | 'rate-limited'
  | 'context-too-long'
  | 'context-too-small'
  | 'endpoint-unreachable'
  | 'endpoint-timeout'
  | 'endpoint-error'
  | 'stream-broken'
  | 'empty-reply'
  | 'reply-too-long'
  | 'tools-refused'
  | 'internal';

const CONTEXT_TOO_LONG =
  /context.{0,20}(length|window|size)|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceeds? the (available |maximum )?(context|token)|token count.{0,40}exceeds|reduce the length/i;

const TOOLS_REFUSED =
  /(does not|doesn't|do not|not) support (tool|function)|tools? (is|are) not supported|support tool use|(tool|function) (calling|use)`? is not (enabled|supported|available)|unrecognized (request )?(argument|parameter).{0,40}\btools?\b|tool[_ ]choice.{0,60}(requires|not supported)|--jinja|enable-auto-tool-choice|unsupported.{0,30}\btools?\b|unknown (field|parameter).{0,10}"?tools/i;

const NO_CHAT_TEMPLATE =
  /chat[._ ]template\b.{0,60}(not set|not defined|missing|no longer allowed|is required)|\b(no|without a|missing|provide a|define a) chat[._ ]template|does not support chat/i;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const BROKEN_CODES = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']);

/** The beginning of an endpoint's message in which the reason is looked for, in characters. */
const SEARCHED_CHARACTERS = 10_000;

/** The longest detail that the user is told, in characters. */
const DETAIL_MAX_CHARACTERS = 1_000;

/** Whether the endpoint refused tools as such; `auto` then falls back to prompted tools. */
export function isToolsRefusal(error: unknown): boolean {
  const call = apiCallError(error);
  if (call?.statusCode === undefined || call.statusCode < 400 || [401, 403, 429].includes(call.statusCode))
    return false;
  return TOOLS_REFUSED.test(textOf(call));
}

/** Whether the endpoint refused the prompt because of its size. */
export function isContextTooLong(error: unknown): boolean {
  const call = apiCallError(error);
  if (call === undefined) return CONTEXT_TOO_LONG.test(messageOf(error).slice(0, SEARCHED_CHARACTERS));
  return (
    (call.statusCode === 400 || call.statusCode === 413 || call.statusCode === 422 || call.statusCode === 500) &&
    CONTEXT_TOO_LONG.test(textOf(call))
  );
}

/**
 * Describes an error by code, with the endpoint's own message if it has one. `redact` removes secrets from a text:
 * providers repeat keys in their errors (rule R18).
 */
export function describeModelError(error: unknown, redact: (text: string) => string): Problem {
  if (error instanceof StepError) return { ...error.problem, detail: redact(error.problem.detail) };
  const detail = detailOf(error instanceof BrokenStream ? error.cause : error);
  return {
    code: problemCode(error),
    detail: redact(detail.slice(0, SEARCHED_CHARACTERS)).slice(0, DETAIL_MAX_CHARACTERS),
  };
}

/** The code of an error's problem. */
export function problemCode(error: unknown): string {
  if (error instanceof StepError) return error.problem.code;
  return error instanceof BrokenStream ? 'stream-broken' : codeOf(error);
}

function codeOf(error: unknown): ProblemCode {
  if (isContextTooLong(error)) return 'context-too-long';
  const network = networkCodeOf(error);
  if (network !== undefined) return network;
  const call = apiCallError(error);
  switch (call?.statusCode) {
    case 401:
    case 403:
      return 'key-refused';
    case 404:
      return isToolsRefusal(error) ? 'tools-refused' : 'model-not-found';
    case 408:
    case 504:
      return 'endpoint-timeout';
    case 429:
      return 'rate-limited';
    default:
  }
  if (call?.statusCode !== undefined) {
    if (isToolsRefusal(error)) return 'tools-refused';
    if (NO_CHAT_TEMPLATE.test(textOf(call))) return 'no-chat-template';
    return /model.{0,60}(not found|does not exist|unknown)|(no such|unknown|invalid) model/i.test(textOf(call))
      ? 'model-not-found'
      : 'endpoint-error';
  }
  if (call !== undefined) return 'endpoint-unreachable';
  return 'stream-broken';
}

/** The code of a network error among the causes. A body that breaks off fails a call that had already succeeded. */
function networkCodeOf(error: unknown): ProblemCode | undefined {
  const first = RetryError.isInstance(error) ? error.lastError : error;
  for (let cause: unknown = first; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'endpoint-timeout';
    const code = systemCodeOf(cause);
    if (code !== undefined && BROKEN_CODES.has(code)) return 'stream-broken';
    if (code !== undefined && NETWORK_CODES.has(code)) return 'endpoint-unreachable';
  }
  return undefined;
}

function apiCallError(error: unknown): APICallError | undefined {
  if (RetryError.isInstance(error)) return apiCallError(error.lastError);
  return APICallError.isInstance(error) ? error : undefined;
}

const textOf = ({ message, responseBody = '' }: APICallError): string =>
  `${message.slice(0, SEARCHED_CHARACTERS)} ${responseBody.slice(0, SEARCHED_CHARACTERS)}`;

function detailOf(error: unknown): string {
  const call = apiCallError(error);
  if (call?.statusCode !== undefined && call.statusCode >= 400) return `${call.statusCode}: ${call.message}`;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (systemCodeOf(cause) !== undefined) return cause.message;
  }
  return messageOf(error);
}

/** The code of a system error, such as ECONNREFUSED. */
function systemCodeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  return typeof error === 'string' ? error : `Something was thrown that is not an error: ${written(error)}`;
}

/** Anything can be thrown, including circular objects and undefined. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

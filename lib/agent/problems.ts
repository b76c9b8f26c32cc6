import { APICallError, RetryError, StreamProviderError } from 'ai';
import { startOf } from '#lib/base/cut-text.ts';
import type { Problem } from '#lib/messages/message.ts';
import { saysPerTime, saysTooLong } from './too-long.ts';
import { withoutEcho } from './without-echo.ts';

/**
 * Thrown if a step fails for a reason that the user is told (rule R15). The detail contains no secret. `more`: the toolsets
 * that take too much of the model's window, if that is the reason.
 */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly problem: Problem;

  constructor(code: string, detail: string, more: Pick<Problem, 'toolsets'> = {}) {
    super(detail);
    this.problem = { code, detail, ...more };
  }
}

/**
 * Stands for an error that broke off a reply after the endpoint had been reached, even if that error, the `cause`, says that it
 * could not be reached.
 */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';

  constructor(cause: unknown) {
    super('The model’s stream broke off.', { cause });
  }
}

/** The problems of a model call, by code; the UI has a text and next steps for each. */
export type ProblemCode =
  | 'no-model'
  | 'key-missing'
  | 'key-refused'
  | 'model-not-found'
  | 'no-chat-template'
  | 'rate-limited'
  | 'no-credit'
  | 'access-refused'
  | 'context-too-long'
  | 'context-too-small'
  | 'question-too-long'
  | 'endpoint-unreachable'
  | 'endpoint-timeout'
  | 'endpoint-error'
  | 'stream-broken'
  | 'empty-reply'
  | 'reply-too-long'
  | 'tools-refused'
  | 'internal';

const TOOLS_REFUSED =
  /(does not|doesn't|do not|not) support (tool|function)|tools? (is|are) not supported|support tool use|(tool|function) (calling|use)`? is not (enabled|supported|available)|unrecognized (request )?(argument|parameter).{0,40}\btools?\b|tool[_ ]choice.{0,60}(requires|not supported)|--jinja|enable-auto-tool-choice|unsupported.{0,30}\btools?\b|unknown (field|parameter).{0,10}"?tools/i;

const NO_CHAT_TEMPLATE =
  /chat[._ ]template\b.{0,60}(not set|not defined|missing|no longer allowed|is required)|\b(no|without a|missing|provide a|define a) chat[._ ]template|does not support chat/i;

const NO_CREDIT =
  /insufficient[_ ](quota|balance|credits?|funds|user quota)|credit balance is too low|billing hard limit|arrearage|余额不足|额度不足|已?欠费/i;

const ACCESS_REFUSED =
  /(country|region|territory|location).{0,40}(not|un)[ -]?(supported|available|allowed)|unsupported_country|flagged|moderation/i;

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

/**
 * The length of the longest key, in characters. So many characters are left out at the end of a message that was cut, because
 * half a key there would not be recognized as a secret.
 */
const KEY_MAX_CHARACTERS = 1_024;

/** The longest detail that the user is told, in characters. */
const DETAIL_MAX_CHARACTERS = 1_000;

/**
 * The header that contains the original status of an error that came with a status of success. The studio has replaced the
 * response's own status with one that says what the error means.
 */
export const REAL_STATUS_HEADER = 'x-real-status';

/** HTTP statuses that say nothing about the request itself: timeouts, and failures of gateways and of overloaded servers. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([
  ...[408, 502, 503, 504],
  // A gateway’s own, and “overloaded”.
  ...[520, 521, 522, 523, 524, 529],
]);

/**
 * Checks whether a request failed because of the network, a gateway, an overloaded server, the key, the account, or a rate
 * limit, so that the failure says nothing about the model.
 */
export function isCircumstance(error: unknown): boolean {
  if (networkCodeOf(error) !== undefined) return true;
  const call = apiCallError(error);
  if (call?.statusCode === undefined) return false;
  return (
    call.statusCode < 400 ||
    PASSING_STATUSES.has(call.statusCode) ||
    refusalCode(call.statusCode, saidBy(call)) !== undefined
  );
}

/** Checks whether the endpoint refused the request itself, and would refuse the same request again. */
export function isRefusal(error: unknown): boolean {
  const status = apiCallError(error)?.statusCode ?? 0;
  return (status >= 400 && status < 500 && !isCircumstance(error)) || isContextTooLong(error);
}

/** Checks whether the endpoint refused tools as such; `auto` then falls back to prompted tools. */
export function isToolsRefusal(error: unknown): boolean {
  const call = apiCallError(error);
  if (call?.statusCode === undefined || call.statusCode < 400 || [401, 403, 429].includes(call.statusCode))
    return false;
  return TOOLS_REFUSED.test(textOf(call));
}

/** Matches refusals of prompts without thoughts: DeepSeek's, Moonshot's, and those of servers behind OpenRouter. */
const WANTS_REASONING =
  /reasoning[_ ](content|details).{0,120}(missing|required|must be|passed back|preserved)|(missing|requires?).{0,80}reasoning[_ ](content|details)/i;

/** Checks whether the endpoint refused a prompt because steps in it have lost their reasoning. */
export function isReasoningMissing(error: unknown): boolean {
  const call = apiCallError(error);
  if (call?.statusCode === undefined || ![400, 422].includes(call.statusCode)) return false;
  return WANTS_REASONING.test(textOf(call));
}

/** Statuses with which prompts that are too long are refused; gateways pass some on as their own failure. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([400, 403, 413, 422, 500, 503]);

/** Checks whether the endpoint refused the prompt because of its size. */
export function isContextTooLong(error: unknown): boolean {
  const call = apiCallError(error);
  if (call === undefined) return saysTooLong(messageOf(error).slice(0, SEARCHED_CHARACTERS));
  if (!TOO_LONG_STATUSES.has(call.statusCode ?? 0)) return false;
  const said = textOf(call);
  return saysTooLong(said) && saysTooLong(withoutEcho(said, call.requestBodyValues));
}

/** Returns the text with which an endpoint refused a request. It may contain secrets, so it is only searched, never shown. */
export function refusalText(error: unknown): string {
  const call = apiCallError(error);
  return call === undefined ? messageOf(error).slice(0, SEARCHED_CHARACTERS) : textOf(call);
}

/**
 * Describes an error by code, with the endpoint's own message if it has one. `redact` removes secrets from a text:
 * providers repeat keys in their errors (rule R18).
 */
export function describeModelError(error: unknown, redact: (text: string) => string): Problem {
  if (error instanceof StepError) return { ...error.problem, detail: redact(error.problem.detail) };
  const detail = detailOf(error instanceof BrokenStream ? error.cause : error);
  const read = redact(detail.slice(0, SEARCHED_CHARACTERS));
  // Half a key at the end would not be recognized, so the end goes, too.
  const whole = detail.length > SEARCHED_CHARACTERS ? read.slice(0, -KEY_MAX_CHARACTERS) : read;
  return { code: problemCode(error), detail: startOf(whole, DETAIL_MAX_CHARACTERS) };
}

/** Returns the code of the problem that an error of a model call stands for, such as `rate-limited` (see `ProblemCode`). */
export function problemCode(error: unknown): string {
  if (error instanceof StepError) return error.problem.code;
  return error instanceof BrokenStream ? 'stream-broken' : codeOf(error);
}

function codeOf(error: unknown): ProblemCode {
  if (isContextTooLong(error)) return 'context-too-long';
  const said = saidInStream(error);
  if (said !== undefined) return refusalCode(said.status, said.message) ?? 'endpoint-error';
  const network = networkCodeOf(error);
  if (network !== undefined) return network;
  const call = apiCallError(error);
  if (call?.responseBody?.includes('"type":"empty_reply"')) return 'empty-reply';
  if (call?.statusCode !== undefined) {
    const code = refusalCode(call.statusCode, saidBy(call));
    if (code !== undefined) return code;
  }
  switch (call?.statusCode) {
    case 404:
      return isToolsRefusal(error) ? 'tools-refused' : 'model-not-found';
    case 408:
    case 504:
      return 'endpoint-timeout';
    default:
  }
  if (call?.statusCode !== undefined) {
    if (call.statusCode < 400) return 'stream-broken';
    if (isToolsRefusal(error)) return 'tools-refused';
    if (NO_CHAT_TEMPLATE.test(textOf(call))) return 'no-chat-template';
    return /model.{0,60}(not found|does not exist|unknown)|(no such|unknown|invalid) model/i.test(textOf(call))
      ? 'model-not-found'
      : 'endpoint-error';
  }
  if (call !== undefined) return 'endpoint-unreachable';
  return 'stream-broken';
}

/** The `type` of the error that a reply fails with if it ends in the middle, and the server did not say why. */
export const REPLY_CUT = 'reply_cut';

/** A server's error in the middle of a reply, with the status it would have had; undefined if `error` is none. */
function saidInStream(error: unknown): { status: number; message: string } | undefined {
  // As a model gives it, or as `streamText` passes that on.
  const isSaid = StreamProviderError.isInstance(error) || !(error instanceof Error);
  if (typeof error !== 'object' || error === null || !isSaid) return undefined;
  const { code, message, type } = error as { code?: unknown; message?: unknown; type?: unknown };
  if (typeof message !== 'string' || type === REPLY_CUT) return undefined;
  return { status: typeof code === 'number' ? code : 500, message };
}

/**
 * Returns the reason for which a provider refuses a request whatever its content, from the response's status and text:
 * credit, access, key, or rate limit. Undefined if it is none of these.
 */
export function refusalCode(
  status: number,
  text: string,
): 'no-credit' | 'access-refused' | 'key-refused' | 'rate-limited' | undefined {
  if (status === 402 || (status >= 400 && NO_CREDIT.test(text))) return 'no-credit';
  if (status < 400 || status >= 500) return undefined;
  if (status === 429 || ((status === 400 || status === 413) && saysPerTime(text))) return 'rate-limited';
  if (status === 451 || ((status === 400 || status === 403) && ACCESS_REFUSED.test(text))) return 'access-refused';
  return status === 401 || status === 403 ? 'key-refused' : undefined;
}

/**
 * Returns the code of the first network error among an error and its causes; undefined if there is none. A connection that
 * broke is `stream-broken` if a response had begun, and `endpoint-unreachable` if not.
 */
function networkCodeOf(error: unknown): ProblemCode | undefined {
  const first = RetryError.isInstance(error) ? error.lastError : error;
  for (let cause: unknown = first; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'endpoint-timeout';
    const code = systemCodeOf(cause);
    // Before a response, nothing has been received that could break off.
    if (code !== undefined && BROKEN_CODES.has(code))
      return hasResponse(first) ? 'stream-broken' : 'endpoint-unreachable';
    if (code !== undefined && NETWORK_CODES.has(code)) return 'endpoint-unreachable';
  }
  return undefined;
}

/** Checks whether an endpoint had begun to respond, as far as is known. */
const hasResponse = (error: unknown): boolean =>
  apiCallError(error)?.statusCode !== undefined || !APICallError.isInstance(error);

function apiCallError(error: unknown): APICallError | undefined {
  if (RetryError.isInstance(error)) return apiCallError(error.lastError);
  return APICallError.isInstance(error) ? error : undefined;
}

/** An endpoint's words about a request. With a status of 500 or more, the body is left out: it may repeat the request. */
const saidBy = (call: APICallError): string => ((call.statusCode ?? 0) >= 500 ? call.message : textOf(call));

const textOf = ({ message, responseBody = '' }: APICallError): string =>
  `${message.slice(0, SEARCHED_CHARACTERS)} ${responseBody.slice(0, SEARCHED_CHARACTERS)}`;

function detailOf(error: unknown): string {
  const call = apiCallError(error);
  if (call?.statusCode !== undefined && call.statusCode >= 400)
    return `${statusOf(call)}${call.message}${longWaitOf(call)}`;
  if (RetryError.isInstance(error)) return detailOf(error.lastError);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = systemCodeOf(cause);
    if (code !== undefined) return UNTRUSTED_CODES.has(code) ? untrusted(cause) : cause.message;
  }
  // The SDK's own sentence for it is for programmers.
  if (call !== undefined && call.statusCode !== undefined && call.statusCode < 400) return CLOSED_EARLY;
  return messageOf(error);
}

/** Codes of errors about certificates from an authority that this machine does not know, as companies have their own. */
const UNTRUSTED_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const untrusted = ({ message }: Error): string =>
  `The server’s certificate is not trusted (${message.split(';')[0]}). If your network has its own certificate authority, start the studio with NODE_EXTRA_CA_CERTS set to the file of that authority’s certificate.`;

const CLOSED_EARLY = 'The connection was closed before the reply was complete.';

/**
 * Returns the status to put in front of an error's message; empty if the message begins with it, or if the response had another
 * one (`REAL_STATUS_HEADER`).
 */
const statusOf = ({ statusCode, message, responseHeaders = {} }: APICallError): string =>
  REAL_STATUS_HEADER in responseHeaders || new RegExp(`^${statusCode}\\b`).test(message) ? '' : `${statusCode}: `;

/**
 * Returns, in words, when an endpoint may be asked again; empty if that is within a minute, or if the endpoint does not say.
 */
function longWaitOf({ responseHeaders }: APICallError): string {
  const after = responseHeaders?.['retry-after'] ?? '';
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1_000;
  return seconds > 60 ? ` (try again in ${Math.ceil(seconds / 60)} minutes)` : '';
}

/** The code of a system error, such as ECONNREFUSED; undefined for any other error. */
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

/** A thrown value as text. Anything can be thrown, including circular objects and undefined. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

import { newRequest } from './answers.ts';
import { renderError } from './errors.ts';
import { getterOf, global, matches, startsWith, toText, uncurried } from './primordials.ts';
import { refuse } from './refuse.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/**
 * The answer of a web server as the studio's page passes it on, with the body in base64, or the reason why no request was
 * sent.
 */
type Answer =
  | { url: string; status: number; headers: Record<string, string>; body: string; isCut: boolean }
  | { denied: string };

const ABSOLUTE = /^https?:/i;
/** Headers that code may set, because they say nothing about the person. They are ignored: the studio sends its own. */
const HARMLESS = /^(?:accept|accept-language|cache-control|user-agent)$/i;
/** Statuses of responses that cannot have a body. */
const EMPTY: Readonly<Record<number, true>> = { 204: true, 205: true, 304: true };

const load = global.fetch;
const {
  Request: RequestClass,
  Response: ResponseClass,
  Headers: HeadersClass,
  Uint8Array: Bytes,
  TypeError: Fault,
} = global;
const decode = global.atob.bind(global);
const charAt = uncurried(String.prototype.charCodeAt);
const upper = uncurried(String.prototype.toUpperCase);
const eachHeader = uncurried(Headers.prototype.forEach);
const methodOf = getterOf(Request.prototype, 'method');
const headersOf = getterOf(Request.prototype, 'headers');
const urlOf = getterOf(Request.prototype, 'url');
const define = Object.defineProperty;

/**
 * Replaces the global `fetch`. Requests for http and https addresses are sent by the studio, which asks the user if necessary:
 * only `GET` and `HEAD`, without a body or headers of the code; others reject. `local`: the `fetch` for all other addresses; by
 * default, the browser's own.
 */
export function defineFetch(local: typeof fetch = load.bind(global)): void {
  define(global, 'fetch', {
    configurable: true,
    writable: true,
    enumerable: true,
    value: async function fetch(input: unknown, init?: RequestInit): Promise<Response> {
      const request = input instanceof RequestClass ? input : undefined;
      const address = request === undefined ? toText(input) : urlOf(request);
      if (!matches(ABSOLUTE, address)) return local(input as RequestInfo, init);
      // Before anything is awaited: afterwards, no stack has the line of the code.
      const fault = new Fault('Failed to fetch');
      const method = upper(toText(init?.method ?? (request === undefined ? 'GET' : methodOf(request))));
      const problem = problemOf(method, init, request);
      if (problem !== undefined) throw refused(fault, address, problem);
      const { request: number, answer } = newRequest();
      send({ type: 'fetch', run: state.run, request: number, method: method as 'GET' | 'HEAD', url: address });
      let found: Answer;
      try {
        found = (await answer) as Answer;
      } catch (error) {
        throw because(fault, toText((error as Error).message));
      }
      if ('denied' in found) throw refused(fault, address, found.denied);
      return responseOf(found);
    },
  });
}

/**
 * Undoes `defineFetch` for a page: gives it the browser's own `fetch` back, whose requests to the web the frame's content
 * security policy refuses.
 */
export function removeFetch(): void {
  define(global, 'fetch', { value: load, configurable: true, writable: true, enumerable: true });
}

/** Explains why a request cannot be sent; undefined if it can be. */
function problemOf(method: string, init: RequestInit | undefined, request: Request | undefined): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return `Only GET and HEAD can be sent from here, not ${method}.`;
  if (init?.body !== undefined && init.body !== null) return 'No body can be sent from here.';
  let own: string | undefined;
  eachHeader(new HeadersClass(init?.headers ?? (request === undefined ? undefined : headersOf(request))), (_, name) => {
    if (!matches(HARMLESS, name)) own = name;
  });
  return own === undefined ? undefined : `No headers can be sent from here. Remove “${own}”.`;
}

/** Reports an address as refused, and returns the error for the code. */
function refused(fault: Error, address: string, reason: string): Error {
  refuse('connect-src', address, renderError(fault).place?.line);
  return because(fault, reason);
}

/** Puts the reason into an error's message, and returns the error. Its stack still has the line of code that called `fetch`. */
function because(fault: Error, reason: string): Error {
  define(fault, 'message', { value: `Failed to fetch: ${reason}`, configurable: true, writable: true });
  return fault;
}

function responseOf({ url, status, headers, body, isCut }: Exclude<Answer, { denied: string }>): Response {
  const binary = decode(body);
  const bytes = new Bytes(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = charAt(binary, index);
  const response = new ResponseClass(EMPTY[status] ? null : bytes, { status, headers });
  define(response, 'url', { value: url });
  define(response, 'isCut', { value: isCut });
  return response;
}

/** Checks whether an address can be loaded without a network: whether it begins with `data:` or `blob:`. */
export const needsNoNetwork = (address: string): boolean =>
  startsWith(address, 'data:') || startsWith(address, 'blob:');

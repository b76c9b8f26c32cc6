import { boundedFetch, ResponseTooLarge } from '../bounded-fetch.ts';
import type { HttpRoute } from '../http-session.ts';
import { RelayError } from '../relay-fetch.ts';
import { checkEndpoint, isInOwnNetwork } from './endpoint.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { LoginError } from './login-problem.ts';

/** Options of every request of a login: no cookies, no referrer, no answers from a cache, and no redirects. */
const PLAIN: RequestInit = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', redirect: 'error' };

const STATUS_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes a `fetch` for the requests of a login at a tool server: only to addresses that may take part in the login (see
 * `checkEndpoint`), bounded in size and time, without redirects, by the first route that works. It rejects with `LoginError`.
 */
export const loginFetch =
  (serverUrl: string, routes: readonly HttpRoute[], timeoutMs: number = LOGIN_LIMITS.requestMs): typeof fetch =>
  async (input, init) => {
    const url = checkEndpoint(input instanceof Request ? input.url : input, serverUrl);
    const { host } = url;
    const isForeign = host !== new URL(serverUrl).host && !isInOwnNetwork(serverUrl);
    // Another header would keep pages from reading metadata that is there for everybody.
    const sent = init?.method === 'POST' ? init : { ...init, headers: { accept: 'application/json' } };
    let failure = new LoginError('unreachable', `${host} can’t be reached.`);
    for (const { name, fetch, fetchForeign = fetch } of routes) {
      const signal = AbortSignal.timeout(timeoutMs);
      const bounded = boundedFetch(isForeign ? fetchForeign : fetch, LOGIN_LIMITS.responseBytes);
      try {
        // A page may send a form to anybody, even if it cannot read the answer. That would use up a code or a token, so an
        // empty form goes first.
        if (name === 'direct' && isForm(init)) await bounded(url, { ...sent, ...PLAIN, body: '', signal });
        return await wholeResponse(await bounded(url, { ...sent, ...PLAIN, signal }), host);
      } catch (error) {
        if (signal.aborted)
          throw new LoginError('unreachable', `${host} didn’t answer within ${timeoutMs / 1_000} seconds.`);
        if (error instanceof ResponseTooLarge)
          throw new LoginError('failed', `${host} answered with more than ${LOGIN_LIMITS.responseBytes} bytes.`);
        if (error instanceof RelayError) failure = new LoginError('unreachable', error.message);
        // All that a page gets to know of a server that it may not call.
        else if (!(error instanceof TypeError)) throw error;
      }
    }
    throw failure;
  };

const isForm = (init: RequestInit | undefined): boolean =>
  new Headers(init?.headers).get('content-type')?.startsWith('application/x-www-form-urlencoded') === true;

/**
 * Reads a response to its end. If its status is that of an error, a body that is not JSON is replaced by a JSON error. Rejects
 * with `LoginError` `untrusted` for a redirect.
 */
async function wholeResponse(response: Response, host: string): Promise<Response> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new LoginError('untrusted', `${host} redirects to another address, which logins don’t follow.`);
  const text = await response.text();
  if (STATUS_WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const isUseful = response.ok || isJsonObject(text);
  const body = isUseful ? text : JSON.stringify({ error: 'server_error', error_description: `Status ${status}.` });
  return new Response(body, { status, headers });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    // It is a page or plain text, for example.
    return false;
  }
}

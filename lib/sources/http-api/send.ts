import { defined } from '#lib/base/defined.ts';
import { readBounded } from '#lib/base/read-bounded.ts';
import { MAY_HAVE_RUN } from '#lib/sources/may-have-run.ts';
import { RelayError } from '#lib/sources/mcp/relay-fetch.ts';
import type { RequestLog } from '#lib/tools/egress/request-log.ts';
import { REST_LIMITS } from './limits.ts';
import type { RestRequest } from './request.ts';

/** A way to reach an API: directly, or through the relay of the studio's server. `fetch`: sends a request that way. */
export interface RestRoute {
  name: 'direct' | 'relay';
  fetch: typeof fetch;
}

/** Options for sending a request of a call. */
export interface Sending {
  /** Whether the request has no effects, and can be sent again. */
  isRead: boolean;
  signal: AbortSignal;
  /** Records what is sent. */
  log?: Pick<RequestLog, 'fetch'>;
}

/** The response of an API, of which the body has been read up to `REST_LIMITS.responseBytes`. */
export interface RestResponse {
  status: number;
  statusText: string;
  headers: Headers;
  /** The part of the body that was read. */
  bytes: Uint8Array;
  /** Whether the body is longer than `bytes`. */
  isCut: boolean;
}

/**
 * Thrown when a request to an API is stopped, takes too long, or gets no answer or a redirect. The message is for the model,
 * and may contain secrets.
 */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: 'aborted' | 'timed-out' | 'failed';

  constructor(code: SendError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of errors after which it is certain that nothing was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['address-refused', 'rate-limited'],
]);

/**
 * Sends requests to one API, by the first route that works. A request with effects is sent at most once; before the first of
 * them, a `HEAD` request finds out whether the first route works.
 */
export class RestSender {
  readonly #routes: readonly RestRoute[];
  readonly #callMs: number;
  /**
   * The route to use, by whether a request only reads. A request that only reads tries this route first, and then the others;
   * one with effects tries only this one.
   */
  readonly #known = new Map<boolean, RestRoute>();

  constructor(routes: readonly RestRoute[], callMs: number = REST_LIMITS.callMs) {
    this.#routes = routes;
    this.#callMs = callMs;
  }

  /**
   * Sends a request, and reads its response. Rejects with `SendError` if it is stopped, takes too long, or gets no answer or
   * a redirect.
   */
  async send(request: RestRequest, { isRead, signal, log }: Sending): Promise<RestResponse> {
    const late = AbortSignal.timeout(this.#callMs);
    const either = AbortSignal.any([signal, late]);
    try {
      const sending = { isRead, signal: either, ...defined({ log }) };
      const response = isRead ? await this.#read(request, sending) : await this.#act(request, sending);
      refuseRedirect(response, request);
      return await received(response);
    } catch (error) {
      const effects = isRead ? '' : ` ${MAY_HAVE_RUN}`;
      if (error instanceof SendError) throw error;
      if (signal.aborted) throw new SendError('aborted', `Stopped by the user.${effects}`);
      if (late.aborted)
        throw new SendError('timed-out', `The API did not answer within ${this.#callMs / 1_000} seconds.${effects}`);
      throw failed(error, request, effects);
    }
  }

  /** Sends a request without effects, by one route after another until one works. */
  async #read(request: RestRequest, sending: Sending): Promise<Response> {
    const known = this.#known.get(true);
    const routes = [...this.#routes].sort((one, other) => Number(other === known) - Number(one === known));
    let problem: unknown;
    for (const route of routes) {
      try {
        const response = await fetchBy(route, request, sending);
        this.#known.set(true, route);
        return response;
      } catch (error) {
        // Only the relay says why.
        if (!(problem instanceof RelayError)) problem = error;
        if (sending.signal.aborted) break;
      }
    }
    throw problem;
  }

  /** Sends a request with effects, once, by one route. */
  async #act(request: RestRequest, sending: Sending): Promise<Response> {
    const route = this.#known.get(false) ?? (await this.#choose(request, sending));
    this.#known.set(false, route);
    try {
      return await fetchBy(route, request, sending);
    } catch (error) {
      const [first, other] = this.#routes;
      // A page is not told why: its browser may not allow requests like this one. The next one takes the other way.
      if (route === first && other !== undefined && !sending.signal.aborted) this.#known.set(false, other);
      throw error;
    }
  }

  async #choose(request: RestRequest, sending: Sending): Promise<RestRoute> {
    const [first, other] = this.#routes;
    if (first === undefined) throw new SendError('failed', 'Not run. There is no way to the API.');
    if (other === undefined) return first;
    // With this header, a browser asks the API first whether a page may send such requests.
    const headers = { ...request.headers, 'content-type': 'application/json' };
    const probe = { url: request.url, method: 'HEAD' as const, headers };
    const soon = AbortSignal.any([sending.signal, AbortSignal.timeout(REST_LIMITS.probeMs)]);
    try {
      const response = await fetchBy(first, probe, { ...sending, signal: soon });
      await response.body?.cancel();
      return first;
    } catch {
      // Browsers do not say why they refuse. If the API cannot be reached at all, the other way reports it.
      sending.signal.throwIfAborted();
      return other;
    }
  }
}

const fetchBy = ({ fetch }: RestRoute, { url, method, headers, body }: RestRequest, { signal, log }: Sending) =>
  (log?.fetch(fetch) ?? fetch)(url, {
    method,
    headers,
    signal,
    ...defined({ body }),
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  });

function refuseRedirect(response: Response, { url }: RestRequest): void {
  const { status, headers, type } = response;
  const location = headers.get('location');
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400 || status === 304)) return;
  // Nobody reads the body.
  response.body?.cancel().catch(() => undefined);
  const to = location !== null && URL.canParse(location, url) ? ` to ${new URL(location, url).host}` : '';
  throw new SendError(
    'failed',
    `The API redirects${to}, and redirects are not followed. The base URL or the path of this tool is probably out of date.`,
  );
}

/** Reads a response, with the body up to `REST_LIMITS.responseBytes`. */
async function received(response: Response): Promise<RestResponse> {
  const { status, statusText, headers, body } = response;
  const { bytes, isCut } = await readBounded(body, REST_LIMITS.responseBytes);
  return { status, statusText, headers, bytes, isCut };
}

/** The maximum depth to which an error's chain of causes is followed. */
const CAUSES_MAX = 5;

function failed(error: unknown, { url }: RestRequest, effects: string): SendError {
  const { host } = new URL(url);
  let reason = `${host} cannot be reached.`;
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; cause = cause.cause, depth++) {
    if (cause instanceof RelayError) reason = cause.message;
    const code = 'code' in cause ? cause.code : undefined;
    if (NOT_SENT.has(code)) return new SendError('failed', `Not run. ${reason}`);
  }
  return new SendError('failed', `${reason}${effects}`);
}

import { RELAY_HEADERS_HEADER, RELAY_STATUS_HEADER } from '#lib/wire/mcp.ts';

/** Codes of the relay that mean that it has sent nothing. */
const NOT_SENT: ReadonlySet<string> = new Set(['address-refused', 'rate-limited']);

const STATUS_WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Thrown when the studio's server has not passed a request on, or has got no response that it could pass back. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  /** The code that the studio's server answered, such as `address-refused`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the reason why the studio's server did not send a request; undefined for any other error, after which the request may
 * have been sent.
 */
export const relayRefusal = (error: unknown): string | undefined =>
  error instanceof RelayError && NOT_SENT.has(error.code) ? error.message : undefined;

/**
 * Makes a `fetch` that sends requests through the studio's server at `relay`, for servers that don't allow calls from web
 * pages. `isForeign`: somebody other than the person names the addresses, so the studio's server refuses most that lead into a
 * private network. `post`: sends the requests to the studio's server. It rejects with `RelayError` if there is no response to
 * pass back.
 */
export const relayFetch =
  (relay: URL, { post = fetch, isForeign = false }: { post?: typeof fetch; isForeign?: boolean } = {}): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await request.text();
    const passed = {
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(request.redirect === 'manual' && { redirect: request.redirect }),
      ...(isForeign && { isForeign }),
      ...(body !== undefined && body !== '' && { body }),
    };
    const answer = await post(relay, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(passed),
      signal: init?.signal ?? request.signal,
    });
    const status = Number(answer.headers.get(RELAY_STATUS_HEADER) ?? 0);
    if (status === 0) throw await refusalOf(answer);
    const headers = new Headers(JSON.parse(answer.headers.get(RELAY_HEADERS_HEADER) ?? '{}'));
    return new Response(STATUS_WITHOUT_BODY.has(status) ? null : answer.body, { status, headers });
  };

async function refusalOf(answer: Response): Promise<Error> {
  // Without a description of the problem, the status says what happened.
  const problem: unknown = await answer.json().catch(() => undefined);
  const { code, detail } = (problem ?? {}) as { code?: unknown; detail?: unknown };
  return typeof code === 'string' && typeof detail === 'string'
    ? new RelayError(code, detail)
    : new RelayError('unreachable', `The studio’s server answered with ${answer.status}.`);
}

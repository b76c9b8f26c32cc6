import { addressPolicyOf } from '#config/address-policy.ts';
import type { ServerEnv } from '#config/env.ts';
import { StepError } from '#lib/agent/problems.ts';
import { defined } from '#lib/base/defined.ts';
import { saysOwnNetwork } from '#lib/base/own-network.ts';
import { RELAY_HEADERS_HEADER, RELAY_STATUS_HEADER, type RelayRequest } from '#lib/wire/mcp.ts';
import { type CheckedFetch, checkedFetch, type ForeignAddress } from '#net/checked-fetch.ts';
import { LocalCount, type OpenCount } from '#server/http/open-count.ts';

/**
 * Matches the names of a request's headers that are not passed on to the other server: they belong to a connection, or concern
 * only the page and this server.
 */
const NOT_PASSED =
  /^(host|connection|content-length|cookie|origin|referer|te|trailer|transfer-encoding|upgrade|keep-alive|proxy-.*|sec-.*|x-forwarded-.*|forwarded)$/i;

/** Matches the names of the headers of a response that are passed back to the page. */
const PASSED_BACK = /^(content-type|location|retry-after|www-authenticate|mcp-.*)$/i;

/**
 * The rules for an address that the model has named: it may be in a private network only if its host's name says so, or if
 * `PERSONAL_ALLOWED_HOSTS` lists the host.
 */
const FOREIGN: ForeignAddress = {
  mayBePrivate: ({ host }) => saysOwnNetwork(host),
  place: 'PERSONAL_ALLOWED_HOSTS',
};

/**
 * The maximum length of the headers of a response that are passed back, as JSON, in characters. If they are longer, none of
 * them is passed back.
 */
const HEADERS_MAX = 16_384;

/**
 * Makes requests for pages, to the web and to tool servers and HTTP APIs that don't allow calls from web pages. Stores
 * nothing of the requests and responses.
 */
export class RequestRelay {
  readonly #isAllowed: boolean;
  readonly #maxOpen: number;
  readonly #fetch: CheckedFetch;
  readonly #open: OpenCount;

  /** `open`: counts the requests that are open; by default, in this process. */
  constructor(
    env: Pick<
      ServerEnv,
      'HOST' | 'PORT' | 'ALLOWED_HOSTS' | 'PERSONAL_ALLOWED_HOSTS' | 'MCP_RELAY' | 'MCP_RELAY_MAX_OPEN'
    >,
    call: CheckedFetch = checkedFetch(addressPolicyOf(env)),
    open: OpenCount = new LocalCount(env.MCP_RELAY_MAX_OPEN),
  ) {
    this.#isAllowed = env.MCP_RELAY;
    this.#maxOpen = env.MCP_RELAY_MAX_OPEN;
    this.#fetch = call;
    this.#open = open;
  }

  /**
   * Makes the request for the page. Resolves with a response that has the other server's body, and two headers with the other
   * server's status and headers. Rejects with `StepError`: `address-refused` for an address that may not be called, or if the
   * operator has turned the relay off; `rate-limited` if too many requests are open; `endpoint-error` for a response that
   * cannot be passed back, such as an unwanted redirect; `endpoint-unreachable` if nobody answers.
   */
  async pass(
    { url, method, headers, body, redirect, isForeign = false }: RelayRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    if (!this.#isAllowed)
      throw new StepError(
        'address-refused',
        'The operator of this studio has turned off requests to the web, tool servers, and APIs.',
      );
    const leave = await this.#open.enter();
    if (leave === undefined)
      throw new StepError(
        'rate-limited',
        `This studio handles at most ${this.#maxOpen} requests at a time. Try again later.`,
      );
    const passed = Object.entries(headers).filter(([name]) => !NOT_PASSED.test(name));
    let response: Response;
    try {
      const request = { method, headers: passed, ...defined({ body }), signal };
      const redirects = redirect === 'manual' ? 'return' : 'refuse';
      response = await this.#fetch(url, request, { redirects, foreign: isForeign ? FOREIGN : undefined });
    } catch (error) {
      leave();
      if (error instanceof StepError) throw error;
      throw new StepError('endpoint-unreachable', `${new URL(url).host} cannot be reached.`);
    }
    const back = JSON.stringify(Object.fromEntries([...response.headers].filter(([name]) => PASSED_BACK.test(name))));
    return new Response(counted(response.body, leave), {
      headers: {
        // Never what the server says: a browser must not show it as a page of the studio.
        'content-type': 'application/octet-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        [RELAY_STATUS_HEADER]: String(response.status),
        [RELAY_HEADERS_HEADER]: back.length > HEADERS_MAX ? '{}' : toAscii(back),
      },
    });
  }
}

/**
 * Returns the body of a response. Calls `leave` when the body ends, fails, or is cancelled: its request no longer counts as
 * open, which makes room for another one.
 */
function counted(body: ReadableStream<Uint8Array> | null, leave: () => void): ReadableStream<Uint8Array> | null {
  if (body === null) {
    leave();
    return null;
  }
  const reader = body.getReader();
  let isOpen = true;
  const end = () => {
    isOpen = false;
    leave();
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!isOpen) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        if (isOpen) controller.error(error);
        end();
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

/** Returns JSON with escapes in place of the characters that a header cannot have. */
const toAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

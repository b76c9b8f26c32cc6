import type { Given } from './given.ts';
import { pathOf } from './path-of.ts';

/**
 * Replaces `fetch` and `XMLHttpRequest`, so that they read workspace files by their addresses. A missing file is answered with
 * the status 404, and any method but `GET` and `HEAD` with 405. The browser handles requests for other addresses.
 */
export function defineRequests(given: Given): void {
  defineFetch(given);
  defineXmlHttpRequest(given);
}

function defineFetch({ readFile }: Given): void {
  const original = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const wanted = pathOf(address);
    if (wanted === undefined) return original(input, init);
    if (!READS.has(method)) return new Response(NO_SERVER, { status: 405, statusText: 'Method Not Allowed' });
    try {
      const { body, headers } = await original(await readFile(wanted));
      return new Response(method === 'HEAD' ? null : body, { headers });
    } catch (error) {
      return new Response(error instanceof Error ? error.message : '', { status: 404, statusText: 'Not Found' });
    }
  };
}

const READS = new Set(['GET', 'HEAD']);
const NO_SERVER = 'A preview has no server.';

/**
 * Serves workspace files to `XMLHttpRequest`. The address is known when a request is opened, but its file is only available
 * later.
 */
function defineXmlHttpRequest({ readFile }: Given): void {
  const { open, send, abort } = XMLHttpRequest.prototype;
  const wanted = new WeakMap<XMLHttpRequest, { path: string; method: string }>();
  /** Requests whose file is being read. */
  const underWay = new WeakMap<XMLHttpRequest, object>();
  XMLHttpRequest.prototype.abort = function () {
    underWay.delete(this);
    abort.call(this);
  };
  XMLHttpRequest.prototype.open = function (
    method: string,
    address: string | URL,
    isAsync?: boolean,
    user: string | null = null,
    password: string | null = null,
  ) {
    const path = pathOf(String(address));
    wanted.delete(this);
    underWay.delete(this);
    for (const name of REFUSAL) Reflect.deleteProperty(this, name);
    // A frame cannot wait synchronously for an answer from the studio.
    if (path === undefined || isAsync === false)
      return open.call(this, method, address, isAsync ?? true, user, password);
    wanted.set(this, { path, method: method.toUpperCase() });
    open.call(this, 'GET', 'data:,', true);
  };
  XMLHttpRequest.prototype.send = function (body) {
    const asked = wanted.get(this);
    wanted.delete(this);
    if (asked === undefined) return send.call(this, body);
    underWay.set(this, asked);
    const answer = (address: string) => {
      // It was reopened or aborted in the meantime.
      if (underWay.get(this) !== asked) return;
      open.call(this, 'GET', address, true);
      send.call(this);
    };
    const refuse = (...values: [status: number, statusText: string]) => {
      if (underWay.get(this) !== asked) return;
      for (const [index, name] of REFUSAL.entries())
        Object.defineProperty(this, name, { value: values[index], configurable: true });
      answer('data:,');
    };
    if (!READS.has(asked.method)) refuse(405, 'Method Not Allowed');
    else readFile(asked.path).then(answer, () => refuse(404, 'Not Found'));
  };
}

/** The properties that are overridden on a request that is answered with an error status, such as 404 for a missing file. */
const REFUSAL = ['status', 'statusText'] as const;

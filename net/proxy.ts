import { getProxyForUrl } from 'proxy-from-env';
import type { ProxyAgent } from 'undici';
import { StepError } from '#lib/agent/problems.ts';
import { isLoopback } from './addresses.ts';

/** The variables that may name a proxy without a protocol. */
const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'] as const;

/** The protocols of proxies that are supported. */
const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/**
 * Returns the proxy for a URL, from `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, and `NO_PROXY`; undefined if the URL is called
 * directly, as this machine always is. Throws `StepError` `endpoint-unreachable` if a variable names no valid proxy.
 */
export function proxyFor(url: URL): URL | undefined {
  const { hostname } = url;
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostname)) return undefined;
  const found = getProxyForUrl(url.href);
  if (found === '') return undefined;
  // Named without a protocol, as usual, a proxy is spoken to over HTTP.
  const bare = found.replace(/^https?:\/\//, '');
  const isBare =
    bare !== found && VARIABLES.some((name) => [process.env[name], process.env[name.toLowerCase()]].includes(bare));
  const proxy = isBare ? `http://${bare}` : found;
  if (!URL.canParse(proxy) || !PROTOCOLS.has(new URL(proxy).protocol))
    throw new StepError(
      'endpoint-unreachable',
      `${VARIABLES.join(', ')}: the proxy for ${url.host} must be an address such as http://proxy.example.com:8080.`,
    );
  return new URL(proxy);
}

/** The agents that were created, by proxy and by whether requests are tunnelled. */
const agents = new Map<string, ProxyAgent>();

/** Takes `ProxyAgent` from `undici`, which is loaded only where requests go through a proxy. */
function agentOf(proxy: URL, isTunnelled: boolean, { ProxyAgent }: typeof import('undici')): ProxyAgent {
  const key = `${isTunnelled} ${proxy.href}`;
  const agent = agents.get(key) ?? new ProxyAgent({ uri: proxy.href, proxyTunnel: isTunnelled });
  agents.set(key, agent);
  return agent;
}

/**
 * Does the same as `fetch`, through a proxy. Rejects with `StepError` `endpoint-unreachable` if the proxy refuses the
 * connection, and with a `TypeError`, like `fetch`, if the proxy itself cannot be reached.
 */
export async function fetchThrough(
  proxy: URL,
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const undici = await import('undici');
  try {
    // The types of undici and of Node's own fetch differ, although the classes do the same.
    const response = await undici.fetch(input as Parameters<typeof undici.fetch>[0], {
      ...(init as Parameters<typeof undici.fetch>[1]),
      // Many proxies open tunnels for HTTPS only.
      dispatcher: agentOf(proxy, url.protocol === 'https:', undici),
    });
    return response as unknown as Response;
  } catch (error) {
    const code = connectCodeOf(error);
    if (code !== undefined) throw unreachable(proxy, url, code);
    const status = refusalOf(error);
    if (status === undefined) throw error;
    const reason =
      status === 407
        ? 'It wants a user name and a password, as in HTTPS_PROXY=http://user:password@host:port.'
        : 'Ask its operator, or name the host in NO_PROXY if it can be reached without it.';
    throw new StepError(
      'endpoint-unreachable',
      `The proxy ${proxy.host} refused a connection to ${url.host} with the status ${status}. ${reason}`,
    );
  }
}

/**
 * Makes the error for a proxy that cannot be reached. It looks like `fetch`'s own errors, so that it counts as a temporary
 * failure.
 */
function unreachable(proxy: URL, { hostname }: URL, code: string): TypeError {
  const message = `The proxy ${proxy.host} cannot be reached (${code}). Check HTTPS_PROXY and HTTP_PROXY, or name ${hostname} in NO_PROXY if it can be reached without a proxy.`;
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

/** Codes of errors in making a connection, which is always the one to the proxy. */
const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code of an error because of which there was no connection to the proxy; undefined for any other error. */
function connectCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ('code' in cause && CONNECT_CODES.has(cause.code)) return String(cause.code);
  return undefined;
}

/** The status with which a proxy refused a tunnel; undefined for any other error. */
function refusalOf(error: unknown): number | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const status = /^Proxy response \((\d{3})\)/.exec(cause.message)?.[1];
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/** `fetch` through the proxy that the environment names for an address; directly if it names none. */
export const proxiedFetch: typeof fetch = async (input, init) => {
  const proxy = proxyFor(new URL(input instanceof Request ? input.url : input));
  return proxy === undefined ? fetch(input, init) : fetchThrough(proxy, input, init);
};

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { CallRequests } from './call-requests.ts';
import { exactFetch } from './exact-numbers.ts';
import { sessionFetch } from './forgotten-session.ts';
import { McpError } from './mcp-error.ts';
import type { McpListing } from './server-lists.ts';
import { McpSession, type McpSessionOptions } from './session.ts';
import { sessionAuth, type TokenSource } from './session-auth.ts';

/** A way to reach a tool server: directly, or through the studio's server (`relay`). */
export type McpRoute = 'direct' | 'relay';

/** The address and the headers for reaching a tool server by HTTP. */
export interface HttpAccess {
  url: string;
  /** Headers of each request; their values are secrets. */
  headers: Readonly<Record<string, string>>;
}

/** A route to a tool server, and how requests are sent by it. */
export interface HttpRoute {
  name: McpRoute;
  /** Checks whether an address can be reached by this route; by default, any can. */
  reaches?(url: string): boolean;
  fetch: typeof fetch;
  /** `fetch` for addresses that the person has not entered, such as those that a server names; by default, `fetch`. */
  fetchForeign?: typeof fetch;
}

export interface OpenedSession {
  session: McpSession;
  route: McpRoute;
  listing: McpListing;
}

/** The delays, in milliseconds, and the number of attempts to reopen a broken stream of changes or of a call. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 60_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 20,
};
/** Codes of problems that another route would not solve, so no other is tried. */
const ANSWERS: ReadonlySet<string> = new Set(['needs-login', 'needs-scope', 'login-unavailable', 'refused']);

/**
 * Opens a session by the first route that leads to a server and its list of tools. If the server wants a login or refuses, no
 * other route is tried. Rejects with the `McpError` of the last route that was tried. `tokens`: the person’s login at the
 * server; without it, requests carry none.
 */
export async function openHttpSession(
  { url, headers }: HttpAccess,
  routes: readonly HttpRoute[],
  options: McpSessionOptions,
  tokens?: TokenSource,
): Promise<OpenedSession> {
  let problem: McpError | undefined;
  for (const { name, fetch } of routes) {
    const requests = new CallRequests();
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      ...sessionAuth(sessionFetch(exactFetch(boundedFetch(requests.fetch(fetch)))), tokens),
      reconnectionOptions: RECONNECTION,
      requestInit: { headers: { ...headers }, credentials: 'omit' },
    });
    let session: McpSession | undefined;
    try {
      session = await McpSession.open(transport, { ...options, origin: url, requests });
      return { session, route: name, listing: await session.list() };
    } catch (error) {
      // The error that ended the attempt is the one to report.
      await session?.close().catch(() => undefined);
      if (!(error instanceof McpError)) throw error;
      problem = error;
      if (ANSWERS.has(error.problem.code)) break;
    }
  }
  throw problem ?? new McpError({ code: 'unreachable', detail: 'There is no way to reach the server.' });
}

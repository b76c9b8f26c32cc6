import type { HttpRoute } from '../http-session.ts';
import { Login, type LoginRequest } from '../login/login.ts';
import { loginErrorOf } from '../login/tokens.ts';
import { TestOAuthServer } from './oauth-server.ts';

export const ISSUER = 'https://login.test/tenant';
export const SERVER = 'https://tools.test/mcp';
export const ORIGIN = 'https://studio.test';
export const REQUEST: LoginRequest = { serverUrl: SERVER, origin: ORIGIN, challenge: {} };

export const create = (issuer = ISSUER, resource = SERVER) => new TestOAuthServer(issuer, resource);

export const routesTo = (server: TestOAuthServer): HttpRoute[] => [
  {
    name: 'direct',
    fetch: async (input, init) => {
      // A request of a browser fails if it was answered by a redirect that it must not follow.
      const response = (await server.fetch(new Request(input, init))) ?? new Response('');
      if (response.status >= 300 && response.status < 400) throw new TypeError('Failed to fetch');
      return response;
    },
  },
];

/** Begins a login, up to the point at which the person logs in. */
export async function begin(server: TestOAuthServer, request: Partial<LoginRequest> = {}, now?: () => number) {
  const login = new Login({ ...REQUEST, serverUrl: server.resource, ...request }, routesTo(server), now);
  const issuer = await login.find();
  return { login, issuer, start: await login.start(undefined) };
}

export const queryOf = (redirect: string): string => new URL(redirect).search.slice(1);

/** Logs in. Resolves with the problem, or with the login that is stored. */
export async function outcomeOf(server: TestOAuthServer, change: (query: URLSearchParams) => void = () => undefined) {
  try {
    const { login, start } = await begin(server);
    const query = new URLSearchParams(queryOf(server.redirectOf(start.url)));
    change(query);
    return { stored: await login.finish(query.toString()) };
  } catch (error) {
    return { problem: loginErrorOf(error).problem };
  }
}

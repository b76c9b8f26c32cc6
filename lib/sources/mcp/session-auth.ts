import { type AuthProvider, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { defined } from '#lib/base/defined.ts';
import { McpError } from './mcp-error.ts';
import type { LoginChallenge, McpProblem } from './problem.ts';

/**
 * An access token for requests to a server, or the reason why there is none now. `token` is undefined if nobody is logged in
 * there.
 */
export type TokenAnswer = { token?: string | undefined } | { problem: McpProblem };

/**
 * Returns the access token for the next request to an MCP server. `refused`: the token that the server has just refused, in
 * place of which another one is wanted. Never rejects: if there is no token to return, the answer has no `token`, or says what
 * the problem is.
 */
export type TokenSource = (refused?: string) => Promise<TokenAnswer>;

const NO_LOGIN: TokenSource = async () => ({});

/**
 * Returns options of the protocol's transport that add a person's login to the requests of one connection. A request that the
 * server answers with 401 has not been run, so it is sent once more if there is another token by then. Otherwise, it rejects
 * with `McpError`: `needs-login`, or the problem that `tokens` returns.
 */
export function sessionAuth(
  request: typeof fetch,
  tokens: TokenSource = NO_LOGIN,
): { fetch: typeof fetch; authProvider: AuthProvider } {
  /** The token of the request that led to each response. */
  const sentWith = new WeakMap<Response, string | undefined>();
  return {
    fetch: async (input, init) => {
      const response = await request(input, init);
      if (response.status === 401) sentWith.set(response, tokenOf(new Headers(init?.headers)));
      return response;
    },
    authProvider: {
      token: async () => tokenIn(await tokens()),
      onUnauthorized: async ({ response }) => {
        const refused = sentWith.get(response);
        const next = refused === undefined ? undefined : tokenIn(await tokens(refused));
        if (next === undefined || next === refused)
          throw new McpError({
            code: 'needs-login',
            detail: 'The server requires you to log in (401).',
            challenge: challengeIn(response),
          });
      },
    },
  };
}

function tokenIn(answer: TokenAnswer): string | undefined {
  if ('problem' in answer) throw new McpError(answer.problem);
  return answer.token;
}

const tokenOf = (headers: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];

function challengeIn(response: Response): LoginChallenge {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return defined({ metadataUrl: resourceMetadataUrl?.href, scope });
}

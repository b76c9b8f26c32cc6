import {
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  type StoredOAuthClientInformation,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { LoginError } from './login-problem.ts';
import type { LoginClient, StoredLogin } from './stored-login.ts';

/** The part of a login that changes when it is renewed. */
export type LoginTokens = Pick<StoredLogin, 'accessToken' | 'refreshToken' | 'issuedAt' | 'renewAt' | 'scope'>;

/** The characters that a token may have: those that a header can carry, and none that could end it. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Checks the tokens that an authorization server has issued, and returns them in the form in which they are stored. `asked`:
 * the permissions that were asked for, which count as given if that server does not say which it gave. `now`: in milliseconds
 * since the epoch. Throws `LoginError` for tokens that cannot be used.
 */
export function readTokens(issued: OAuthTokens, asked: string | undefined, now: number): LoginTokens {
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: type,
    expires_in: seconds,
    scope,
  } = issued;
  if (type.toLowerCase() !== 'bearer')
    throw new LoginError(
      'failed',
      `The authorization server issued a “${type}” token; the studio only supports “Bearer”.`,
    );
  for (const token of [accessToken, ...(refreshToken === undefined ? [] : [refreshToken])])
    if (!TOKEN.test(token) || token.length > LOGIN_LIMITS.tokenLength)
      throw new LoginError('failed', 'The authorization server issued a token that can’t be sent in a request.');
  const given = scope ?? asked;
  const lifetimeMs = lifetimeOf(seconds);
  return {
    accessToken,
    refreshToken,
    issuedAt: now,
    renewAt: lifetimeMs === undefined ? undefined : now + lifetimeMs * LOGIN_LIMITS.renewAfter,
    scope: given !== undefined && given.length <= LOGIN_LIMITS.scopeLength ? given : asked,
  };
}

/**
 * Returns a token's lifetime in milliseconds; undefined if `seconds`, the stated one, is absent or impossible. Such a token is
 * used until the server refuses it.
 */
const lifetimeOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined || !Number.isFinite(seconds) || seconds <= 0
    ? undefined
    : Math.min(seconds * 1_000, LOGIN_LIMITS.lifetimeMs);

/** Converts a `LoginClient` to the form that the MCP SDK takes. */
export const clientInformation = ({ id, secret, method }: LoginClient): StoredOAuthClientInformation => ({
  client_id: id,
  ...defined({ client_secret: secret, token_endpoint_auth_method: method }),
});

/** Codes of errors of an authorization server that will pass, so the login is not over. */
const PASSING: ReadonlySet<string> = new Set([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
  'slow_down',
]);

/** Requests new tokens for a login. Rejects with `LoginError`: `ended` if the login cannot be renewed any more. */
export async function renewLogin(
  login: StoredLogin,
  fetch: typeof globalThis.fetch,
  now: number,
): Promise<LoginTokens> {
  const { issuer, resource, tokenEndpoint, clientMethods, client, refreshToken, scope } = login;
  if (refreshToken === undefined) throw new LoginError('ended', 'The login has expired.');
  try {
    const issued = await refreshAuthorization(issuer, {
      metadata: {
        issuer,
        authorization_endpoint: tokenEndpoint,
        token_endpoint: tokenEndpoint,
        response_types_supported: ['code'],
        token_endpoint_auth_methods_supported: clientMethods,
      },
      clientInformation: clientInformation(client),
      refreshToken,
      resource,
      fetchFn: fetch,
    });
    return readTokens(issued, scope, now);
  } catch (error) {
    if (error instanceof OAuthError && !PASSING.has(error.code)) throw new LoginError('ended', wordsOf(error));
    throw loginErrorOf(error);
  }
}

/**
 * Asks the authorization server to forget the tokens of a login (RFC 7009). Does nothing if that server has no address for it.
 * Rejects if it cannot be reached; an error that it answers is ignored.
 */
export async function revokeLogin(login: StoredLogin, fetch: typeof globalThis.fetch): Promise<void> {
  const { revocationEndpoint, client, clientMethods, refreshToken, accessToken } = login;
  if (revocationEndpoint === undefined) return;
  const isBasic = selectClientAuthMethod(clientInformation(client), clientMethods) === 'client_secret_basic';
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(isBasic && { authorization: basicAuthorization(client.id, client.secret ?? '') }),
  };
  const identity = isBasic ? {} : { client_id: client.id, ...defined({ client_secret: client.secret }) };
  for (const [token, hint] of [
    [refreshToken, 'refresh_token'],
    [accessToken, 'access_token'],
  ] as const)
    if (token !== undefined)
      await fetch(revocationEndpoint, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ token, token_type_hint: hint, ...identity }),
      });
}

/** Turns an error of a login, such as one of the SDK, into a `LoginError`. */
export function loginErrorOf(error: unknown): LoginError {
  if (error instanceof LoginError) return error;
  if (error instanceof IssuerMismatchError)
    return new LoginError(
      'untrusted',
      `The response came from ${error.received ?? 'a server that gives no name'} instead of ${error.expected}.`,
    );
  if (error instanceof RegistrationRejectedError)
    return new LoginError('refused', `The authorization server doesn’t register the studio (${error.status}).`);
  if (error instanceof OAuthError) return new LoginError('refused', wordsOf(error));
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError'))
    return new LoginError('failed', 'A response doesn’t follow the protocol.');
  return new LoginError('failed', messageOf(error));
}

const wordsOf = ({ code, message }: OAuthError): string =>
  message === '' || message === code ? code : `${code}: ${message}`;

/** The header of a client with a secret: both parts are encoded like forms (RFC 6749, 2.3.1). */
const basicAuthorization = (id: string, secret: string): string =>
  `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`;

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

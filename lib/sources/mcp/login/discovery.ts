import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { LoginChallenge } from '../problem.ts';
import { checkEndpoint } from './endpoint.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { LoginError } from './login-problem.ts';

/** The authorization server at which a person logs in to a tool server. Its metadata has been checked. */
export interface LoginPlace {
  metadata: AuthorizationServerMetadata;
  /** The resource that the tokens are for (RFC 8707). */
  resource: string;
  /** The permissions to ask for, separated by spaces; undefined for whatever the authorization server gives. */
  scope: string | undefined;
}

/**
 * Finds out where a person logs in to a tool server (RFC 9728, RFC 8414), and checks the metadata that say so. `known`:
 * permissions that the person gave before, separated by spaces; they are asked for again. Rejects with `LoginError`, or with
 * what the SDK throws; `loginErrorOf` turns that into one.
 */
export async function discoverLogin(
  serverUrl: string,
  challenge: LoginChallenge,
  known: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LoginPlace> {
  const { attempt, failure } = attempts(fetch);
  const described = await resourceMetadata(serverUrl, challenge, attempt);
  if (described === undefined && challenge.metadataUrl !== undefined)
    throw failure() ?? new LoginError('failed', `There is no description at ${challenge.metadataUrl}.`);
  // Servers of before 2025-06 have their authorization server at their own address.
  const issuer = described?.authorization_servers?.[0] ?? new URL('/', serverUrl).href;
  const { search, hash } = checkEndpoint(issuer, serverUrl);
  if (search !== '' || hash !== '') throw new LoginError('untrusted', `${issuer} is not an issuer’s address.`);
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: attempt });
  if (metadata === undefined)
    throw failure() ?? new LoginError('not-offered', `${new URL(issuer).host} doesn’t say where and how to log in.`);
  checkMetadata(metadata, serverUrl);
  const asked = challenge.scope ?? described?.scopes_supported?.join(' ');
  return {
    metadata,
    resource: described?.resource ?? resourceUrlFromServerUrl(serverUrl).href,
    scope: scopeOf(computeScopeUnion(known, asked), metadata),
  };
}

/**
 * Wraps `fetch` as `attempt`, for a search at several addresses: an unreachable one counts as not found (404). `failure`
 * returns the error of the latest unreachable address; undefined if there was none.
 */
function attempts(fetch: typeof globalThis.fetch) {
  let failure: LoginError | undefined;
  const attempt: typeof globalThis.fetch = async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      if (!(error instanceof LoginError) || error.problem.code !== 'unreachable') throw error;
      failure = error;
      return new Response('', { status: 404 });
    }
  };
  return { attempt, failure: () => failure };
}

/**
 * Returns the tool server's metadata about its protection (RFC 9728); undefined if it has none that can be read. Rejects with
 * `LoginError` if they are about another server.
 */
async function resourceMetadata(
  serverUrl: string,
  { metadataUrl }: LoginChallenge,
  fetch: typeof globalThis.fetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  let described: OAuthProtectedResourceMetadata;
  try {
    described = await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl },
      fetch,
    );
  } catch (error) {
    // Many servers have none.
    if (error instanceof LoginError) throw error;
    return undefined;
  }
  const { resource } = described;
  if (!URL.canParse(resource) || !checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource }))
    throw new LoginError('untrusted', `The server at ${serverUrl} says that it is ${resource}.`);
  return described;
}

/**
 * Checks what the SDK does not: that logins are protected with PKCE (S256), and lead only to addresses that may take part in a
 * login. Throws `LoginError` otherwise.
 */
function checkMetadata(metadata: AuthorizationServerMetadata, serverUrl: string): void {
  for (const endpoint of [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint,
    revocationEndpointOf(metadata),
  ])
    if (endpoint !== undefined) checkEndpoint(endpoint, serverUrl);
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw new LoginError('untrusted', `${metadata.issuer} doesn’t protect logins with PKCE (S256).`);
}

/** Returns the address at which tokens are revoked; undefined if the metadata names none. */
export function revocationEndpointOf(metadata: AuthorizationServerMetadata): string | undefined {
  const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

/** The allowed names of permissions (RFC 6749, 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function scopeOf(asked: string | undefined, metadata: AuthorizationServerMetadata): string | undefined {
  if (asked === undefined) return undefined;
  // Without it, many authorization servers issue no refresh token.
  const scope = metadata.scopes_supported?.includes('offline_access')
    ? computeScopeUnion(asked, 'offline_access')
    : asked;
  const scopes = scope?.split(' ') ?? [];
  if (scopes.length > LOGIN_LIMITS.scopes || (scope?.length ?? 0) > LOGIN_LIMITS.scopeLength)
    throw new LoginError(
      'untrusted',
      `The server asks for ${scopes.length} permissions; the limit is ${LOGIN_LIMITS.scopes}.`,
    );
  if (!scopes.every((one) => SCOPE.test(one)))
    throw new LoginError('untrusted', 'The server asks for a permission whose name has invalid characters.');
  return scope;
}

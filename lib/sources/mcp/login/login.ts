import {
  exchangeAuthorization,
  registerClient,
  resolveClientMetadata,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { defined } from '#lib/base/defined.ts';
import { OAUTH_CALLBACK_PATH, OAUTH_CLIENT_PATH, oauthClientMetadata } from '#lib/wire/oauth.ts';
import type { HttpRoute } from '../http-session.ts';
import type { LoginChallenge } from '../problem.ts';
import { OWN_HOST } from '../server-config.ts';
import { discoverLogin, type LoginPlace, revocationEndpointOf } from './discovery.ts';
import { LOGIN_LIMITS } from './limits.ts';
import { loginFetch } from './login-fetch.ts';
import { LoginError } from './login-problem.ts';
import type { LoginClient, StoredLogin } from './stored-login.ts';
import { clientInformation, readTokens } from './tokens.ts';

/** A login that a person asks for. */
export interface LoginRequest {
  serverUrl: string;
  /** The studio's own origin. */
  origin: string;
  /** The details that the server gave when it asked for a login. */
  challenge: LoginChallenge;
  /** The permissions that the person gave before, separated by spaces; undefined if there are none. */
  scope?: string | undefined;
}

/** A login that has begun, and waits for the person to log in at `url`. */
export interface LoginStart {
  /** The address at which the person logs in. */
  url: string;
  /** The value that the person brings back, by which this login is told from any other. */
  state: string;
  /** The permissions that are asked for. */
  scopes: string[];
  /** The id and secret by which the authorization server knows the studio. */
  client: LoginClient;
}

interface Pending extends LoginStart {
  codeVerifier: string;
  startedAt: number;
}

/** The parameters in the query with which an authorization server sends a person back. None may occur twice. */
const PARAMETERS = ['state', 'code', 'iss', 'error', 'error_description'] as const;

/** One login at a server, step by step. Each method rejects with `LoginError`, or with what the SDK throws. */
export class Login {
  readonly #request: LoginRequest;
  readonly #fetch: typeof fetch;
  readonly #now: () => number;
  #place: LoginPlace | undefined;
  #pending: Pending | undefined;

  constructor(request: LoginRequest, routes: readonly HttpRoute[], now: () => number = Date.now) {
    this.#request = request;
    this.#fetch = loginFetch(request.serverUrl, routes);
    this.#now = now;
  }

  /** Finds out where the person logs in. Resolves with the issuer of the tokens. */
  async find(): Promise<string> {
    const { serverUrl, challenge, scope } = this.#request;
    this.#place = await discoverLogin(serverUrl, challenge, scope, this.#fetch);
    return this.#place.metadata.issuer;
  }

  /**
   * Begins the login that `find` prepared. `known`: the id and secret under which the issuer already knows the studio, or that
   * the person entered. Without them, or if they are not valid for long enough, the studio makes itself known to the issuer.
   */
  async start(known: LoginClient | undefined): Promise<LoginStart> {
    const place = this.#found();
    const { metadata, resource, scope } = place;
    const client = known !== undefined && isValid(known, this.#now()) ? known : await this.#client(place);
    const state = randomText();
    const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
      metadata,
      state,
      resource,
      redirectUrl: this.#redirectUri,
      clientInformation: clientInformation(client),
      ...defined({ scope }),
    });
    const begun = { url: authorizationUrl.href, state, scopes: scope?.split(' ') ?? [], client };
    this.#pending = { ...begun, codeVerifier, startedAt: this.#now() };
    return begun;
  }

  /**
   * Completes the login, and resolves with its tokens and all that is needed to renew them. `query`: the one that the person
   * was sent back with. A login can be completed only once, even if that fails; a query that belongs to another login is
   * refused, and changes nothing.
   */
  async finish(query: string): Promise<StoredLogin> {
    const { metadata, resource, scope } = this.#found();
    const pending = this.#pending;
    if (pending === undefined) throw new LoginError('expired', 'This login is already finished.');
    const { state, code, iss, error, error_description: words } = readCallback(query);
    if (state !== pending.state) throw new LoginError('untrusted', 'The response belongs to another login.');
    this.#pending = undefined;
    if (this.#now() - pending.startedAt > LOGIN_LIMITS.loginMs)
      throw new LoginError('expired', `The login took longer than ${LOGIN_LIMITS.loginMs / 60_000} minutes.`);
    // Before anything that the answer says is believed.
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
    if (error === 'access_denied') throw new LoginError('denied', words ?? error);
    if (error !== undefined) throw new LoginError('refused', [error, words].filter(Boolean).join(': '));
    if (code === undefined) throw new LoginError('failed', 'The authorization server sent no code.');
    const issued = await exchangeAuthorization(metadata.issuer, {
      metadata,
      resource,
      fetchFn: this.#fetch,
      clientInformation: clientInformation(pending.client),
      authorizationCode: code,
      ...defined({ iss }),
      codeVerifier: pending.codeVerifier,
      redirectUri: this.#redirectUri,
    });
    return {
      issuer: metadata.issuer,
      resource,
      client: pending.client,
      tokenEndpoint: metadata.token_endpoint,
      revocationEndpoint: revocationEndpointOf(metadata),
      clientMethods: metadata.token_endpoint_auth_methods_supported ?? [],
      ...readTokens(issued, scope, this.#now()),
    };
  }

  get #redirectUri(): string {
    return this.#request.origin + OAUTH_CALLBACK_PATH;
  }

  #found(): LoginPlace {
    if (this.#place === undefined) throw new LoginError('failed', 'The login address isn’t known yet.');
    return this.#place;
  }

  /**
   * Makes the studio known to an authorization server: by the address of the studio's description if that server accepts this
   * and can reach it, otherwise by registering the studio. Rejects with `LoginError` `needs-client` if neither is possible.
   */
  async #client({ metadata }: LoginPlace): Promise<LoginClient> {
    const { origin } = this.#request;
    if (metadata.client_id_metadata_document_supported === true && isPublic(origin))
      return { id: origin + OAUTH_CLIENT_PATH };
    if (metadata.registration_endpoint === undefined)
      throw new LoginError('needs-client', `${metadata.issuer} doesn’t know the studio.`);
    const registered = await registerClient(metadata.issuer, {
      metadata,
      clientMetadata: resolveClientMetadata({
        clientMetadata: oauthClientMetadata(origin),
        redirectUrl: this.#redirectUri,
      }),
      fetchFn: this.#fetch,
    });
    const { client_id: id, client_secret: secret, client_secret_expires_at: endsAt = 0 } = registered;
    const redirects = registered.redirect_uris;
    if (redirects.length > 0 && !redirects.includes(this.#redirectUri))
      throw new LoginError('untrusted', 'The authorization server registered a different address from the studio’s.');
    if ([id, secret].some((text) => text?.length === 0 || (text?.length ?? 0) > LOGIN_LIMITS.clientLength))
      throw new LoginError('failed', 'The authorization server gave the studio a client name that can’t be used.');
    const method = registered.token_endpoint_auth_method;
    return {
      id,
      ...defined({ secret, method }),
      ...(secret !== undefined && endsAt > 0 && { endsAt: endsAt * 1_000 }),
    };
  }
}

/** Checks whether the secret of a client stays valid for as long as a login may take. */
const isValid = ({ endsAt }: LoginClient, now: number): boolean =>
  endsAt === undefined || now + LOGIN_LIMITS.loginMs < endsAt;

/** Checks whether an authorization server on the internet can read what is served at an origin. */
const isPublic = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' && !OWN_HOST.test(hostname);
};

/** 256 random bits, as text. */
const randomText = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');

/** Reads the query with which a person was sent back. Throws `LoginError`. */
function readCallback(query: string): Partial<Record<(typeof PARAMETERS)[number], string>> {
  if (query.length > LOGIN_LIMITS.callbackLength) throw new LoginError('untrusted', 'The response is too long.');
  const given = new URLSearchParams(query);
  const values = PARAMETERS.map((name) => [name, given.getAll(name)] as const);
  if (values.some(([, all]) => all.length > 1))
    throw new LoginError('untrusted', 'The response contains a parameter twice.');
  return Object.fromEntries(values.flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])));
}

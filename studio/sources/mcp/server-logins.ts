import type * as z from 'zod';
import { messageOf } from '#lib/base/message-of.ts';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { LOGIN_LIMITS } from '#lib/sources/mcp/login/limits.ts';
import type { LoginConnection } from '#lib/sources/mcp/login/login-client.ts';
import {
  type LoginClient,
  loginClientSchema,
  type StoredLogin,
  storedLoginSchema,
} from '#lib/sources/mcp/login/stored-login.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import type { TokenAnswer, TokenSource } from '#lib/sources/mcp/session-auth.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';

/** The part of a server by which its login is found. */
type Place = Pick<ServerConfig, 'name' | 'url'>;

/**
 * The person's logins at tool servers, in the vault: each is bound to its server's name and address. A login is renewed by
 * one tab at a time, because many authorization servers end a login of which a token is used twice.
 */
export class ServerLogins {
  readonly #vault: () => Promise<KeyVault>;
  /** Opens a connection for talking to authorization servers. The caller must end it. */
  readonly connect: () => LoginConnection;

  constructor(vault: () => Promise<KeyVault>, connect: () => LoginConnection) {
    this.#vault = vault;
    this.connect = connect;
  }

  async isLocked(): Promise<boolean> {
    return (await this.#vault()).isLocked();
  }

  /** The login at a server; undefined if there is none that can be read. Rejects with `VaultLocked`. */
  async of({ name, url }: Place): Promise<StoredLogin | undefined> {
    const secret = await (await this.#vault()).get(idOf(name), url);
    return readSecret(storedLoginSchema, secret);
  }

  /** Stores the login at a server. Rejects with `VaultLocked`. */
  put(place: Place, login: StoredLogin): Promise<void> {
    return alone(place.name, () => this.#put(place, login));
  }

  /** Deletes the login at a server of this name. */
  forget(name: string): Promise<void> {
    return alone(name, async () => (await this.#vault()).delete(idOf(name)));
  }

  /** Logs out: deletes the login, and asks the authorization server to forget it, too, without waiting for that. */
  async end(place: Place): Promise<void> {
    // While the keys are locked, it can only be deleted here.
    const login = await this.of(place).catch(() => undefined);
    await this.forget(place.name);
    if (login === undefined) return;
    const connection = this.connect();
    void connection.revoke(place.url, login).then(() => connection.end());
  }

  /**
   * Returns a function that gives the token for each request to a server, renewed when it is time; undefined if the server's
   * configuration names no login. The function gives no token if the login is not stored or has ended.
   */
  tokensOf({ name, url, login }: Pick<ServerConfig, 'name' | 'url' | 'login'>): TokenSource | undefined {
    if (login === undefined) return undefined;
    const place = { name, url };
    return async (refused) => {
      try {
        const stored = await this.of(place);
        if (stored === undefined) return {};
        if (stored.accessToken !== refused && isFresh(stored)) return { token: stored.accessToken };
        return await alone(place.name, () => this.#renewed(place, refused));
      } catch (error) {
        return unavailable(messageOf(error));
      }
    };
  }

  /**
   * The client id, perhaps with a secret, that the studio has at an authorization server; undefined if it has none. `origin`:
   * the studio's own, for which the client id was made. Rejects with `VaultLocked`.
   */
  async clientOf(issuer: string, origin: string): Promise<LoginClient | undefined> {
    const secret = await (await this.#vault()).get(clientIdOf(issuer), origin);
    return readSecret(loginClientSchema, secret);
  }

  /** Stores the studio's client id at an authorization server. Rejects with `VaultLocked`. */
  async putClient(issuer: string, origin: string, client: LoginClient): Promise<void> {
    await (await this.#vault()).put(clientIdOf(issuer), origin, JSON.stringify(client));
  }

  async forgetClient(issuer: string): Promise<void> {
    await (await this.#vault()).delete(clientIdOf(issuer));
  }

  async #put({ name, url }: Place, login: StoredLogin): Promise<void> {
    await (await this.#vault()).put(idOf(name), url, JSON.stringify(login));
  }

  /**
   * Gives a token in place of the one that was refused or is about to end, and renews the login if necessary. If the login
   * cannot be renewed, the present token stays in use, unless it was refused: then gives none if the login has ended, or a
   * problem if it may be renewed later. Must run within `alone`, so that nothing else changes the login meanwhile.
   */
  async #renewed(place: Place, refused: string | undefined): Promise<TokenAnswer> {
    // Another tab may have been faster, or have logged out.
    const login = await this.of(place);
    if (login === undefined) return {};
    const { accessToken, refreshToken, issuedAt } = login;
    const isRefused = accessToken === refused;
    if (!isRefused && isFresh(login)) return { token: accessToken };
    // Without a way to renew it, the server says when it is over. What it refuses at once, it would refuse again.
    if (refreshToken === undefined) return isRefused ? {} : { token: accessToken };
    if (isRefused && Date.now() - issuedAt < LOGIN_LIMITS.refusedAtOnceMs) return {};
    const connection = this.connect();
    const renewed = await connection.renew(place.url, login);
    connection.end();
    if (!('problem' in renewed)) {
      await this.#put(place, { ...login, ...renewed });
      return { token: renewed.accessToken };
    }
    const { code, detail } = renewed.problem;
    if (code === 'ended') {
      await this.#put(place, { ...login, refreshToken: undefined });
      return isRefused ? {} : { token: accessToken };
    }
    return isRefused ? unavailable(detail) : { token: accessToken };
  }
}

const idOf = (name: string): string => `${toolsetOf(TOOL_SERVER, name)}:login`;

const clientIdOf = (issuer: string): string => `mcp-client:${issuer}`;

/** A secret as it was stored; undefined if it cannot be read, for instance because another version has stored it. */
function readSecret<Value>(schema: z.ZodType<Value>, secret: string | undefined): Value | undefined {
  try {
    return secret === undefined ? undefined : schema.safeParse(JSON.parse(secret)).data;
  } catch {
    return undefined;
  }
}

const isFresh = ({ renewAt }: StoredLogin): boolean => renewAt === undefined || Date.now() < renewAt;

const unavailable = (reason: string): TokenAnswer => ({
  problem: { code: 'login-unavailable', detail: `Your login could not be renewed: ${reason}` },
});

/** Runs changes of one login one at a time, across tabs where the browser can do that. */
const alone = <Value>(name: string, act: () => Promise<Value>): Promise<Value> =>
  globalThis.navigator?.locks === undefined ? act() : navigator.locks.request(`roundtrip-login:${name}`, act);

import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { messageOf } from '#lib/base/message-of.ts';
import { VaultLocked } from '#lib/keys/key-vault.ts';
import { LOGIN_LIMITS } from '#lib/sources/mcp/login/limits.ts';
import type { LoginStart } from '#lib/sources/mcp/login/login.ts';
import type { LoginConnection } from '#lib/sources/mcp/login/login-client.ts';
import type { LoginProblem } from '#lib/sources/mcp/login/login-problem.ts';
import type { LoginClient } from '#lib/sources/mcp/login/stored-login.ts';
import type { LoginChallenge } from '#lib/sources/mcp/problem.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import { OAUTH_CALLBACK_PATH, OAUTH_CHANNEL, type OAuthMessage } from '#lib/wire/oauth.ts';
import type { McpServers } from './mcp-servers.ts';

/**
 * The reason why a login failed. `locked`: the passphrase of the vault is missing. `insecure-page`: the page can do no
 * cryptography, because it did not come over a secure connection. `removed`: the server was removed meanwhile. `not-stored`:
 * something else failed, such as storing the login.
 */
export type AttemptProblem =
  | LoginProblem
  | { code: 'locked' | 'insecure-page' | 'removed' | 'not-stored'; detail: string };

/** The stage that a login has reached. `issuer`: the address by which the authorization server is known. */
export type AttemptStep =
  /** The authorization server is being looked for, or the login is being prepared there. */
  | { type: 'finding' }
  /** The person has to enter the client id that they have from the authorization server. */
  | { type: 'needs-client'; issuer: string; redirectUri: string }
  /** The person can log in at `url`. */
  | { type: 'ready'; issuer: string; url: string; scopes: readonly string[] }
  /** The person has opened `url` to log in. */
  | { type: 'waiting'; issuer: string; url: string }
  /** The person has logged in. The tokens are being fetched and stored. */
  | { type: 'finishing' }
  | { type: 'done' }
  | { type: 'failed'; problem: AttemptProblem };

interface LoginAttemptOptions {
  servers: Pick<McpServers, 'state' | 'logins' | 'changeLogin'>;
  config: Pick<ServerConfig, 'name' | 'url'>;
  challenge: LoginChallenge;
  connection: LoginConnection;
  /** The origin of the studio. */
  origin: string;
}

const messageSchema = z.object({
  type: z.literal('callback'),
  query: z.string().max(LOGIN_LIMITS.callbackLength),
});

/**
 * One login of the person at a tool server, from finding the authorization server until the tokens are stored. It lives as long
 * as its dialog. Answers that come after that are ignored.
 */
export class LoginAttempt {
  readonly state: StoreApi<AttemptStep> = createStore<AttemptStep>(() => ({ type: 'finding' }));
  readonly #options: LoginAttemptOptions;
  readonly #channel = new BroadcastChannel(OAUTH_CHANNEL);
  #issuer = '';
  /** The login that waits for the person to log in; undefined if none does. */
  #start: LoginStart | undefined;
  #client: LoginClient | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;

  constructor(options: LoginAttemptOptions) {
    this.#options = options;
    this.#channel.onmessage = ({ data }) => this.#hear(data);
  }

  /** Finds the authorization server of the tool server, and prepares the login there. Never rejects. */
  begin(): Promise<void> {
    return this.#step(async () => {
      const { servers, config, challenge, connection, origin } = this.#options;
      if (crypto.subtle === undefined) return this.#fail({ code: 'insecure-page', detail: '' });
      if (await servers.logins.isLocked()) return this.#fail({ code: 'locked', detail: '' });
      const scope = (await servers.logins.of(config))?.scope;
      const found = await connection.find({ serverUrl: config.url, origin, challenge, scope });
      if ('problem' in found) return this.#fail(found.problem);
      this.#issuer = found.issuer;
      await this.#prepare(await servers.logins.clientOf(found.issuer, origin));
    });
  }

  /** Asks the person for the client id that they have from the authorization server. */
  askForClient(): void {
    this.#start = undefined;
    const redirectUri = this.#options.origin + OAUTH_CALLBACK_PATH;
    this.#show({ type: 'needs-client', issuer: this.#issuer, redirectUri });
  }

  /** Goes on with a client id that the person has entered, and its secret, which is empty if there is none. Never rejects. */
  identify(id: string, secret: string): Promise<void> {
    return this.#step(() => this.#prepare({ id, ...(secret !== '' && { secret }), isTyped: true }));
  }

  /** Notes that the person has opened the page of the authorization server. */
  opened(): void {
    const step = this.state.getState();
    if (step.type !== 'ready') return;
    this.#show({ type: 'waiting', issuer: step.issuer, url: step.url });
  }

  /** Ends the login, if it is still under way. Nothing of it is stored then. */
  end(): void {
    if (this.#isEnded) return;
    // The authorization server may have shown an error instead, because it has forgotten the studio.
    if (this.state.getState().type === 'waiting') this.#forgetClient();
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#channel.close();
    this.#options.connection.end();
  }

  async #prepare(client: LoginClient | undefined): Promise<void> {
    const start = await this.#options.connection.start(client);
    if ('problem' in start)
      return start.problem.code === 'needs-client' ? this.askForClient() : this.#fail(start.problem);
    this.#start = start;
    this.#client = start.client;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), LOGIN_LIMITS.loginMs);
    this.#show({ type: 'ready', issuer: this.#issuer, url: start.url, scopes: start.scopes });
  }

  /**
   * Handles a message with the query with which the authorization server has sent the person back. Ignores the messages of
   * other logins, also of other tabs: their queries have another `state`.
   */
  #hear(data: unknown): void {
    const { success, data: message } = messageSchema.safeParse(data);
    const start = this.#start;
    if (!success || start === undefined || new URLSearchParams(message.query).get('state') !== start.state) return;
    this.#start = undefined;
    this.#channel.postMessage({ type: 'taken', query: message.query } satisfies OAuthMessage);
    void this.#step(() => this.#finish(message.query));
  }

  async #finish(query: string): Promise<void> {
    const { servers, config, connection, origin } = this.#options;
    clearTimeout(this.#timer);
    this.#show({ type: 'finishing' });
    const login = await connection.finish(query);
    if ('problem' in login) {
      // The studio may be registered no more.
      if (login.problem.code === 'refused') this.#forgetClient();
      return this.#fail(login.problem);
    }
    const isThere = servers.state
      .getState()
      .some((one) => one.config.name === config.name && one.config.url === config.url);
    if (this.#isEnded || !isThere) return this.#fail({ code: 'removed', detail: '' });
    try {
      await servers.logins.put(config, login);
      if (this.#client !== undefined) await servers.logins.putClient(this.#issuer, origin, this.#client);
      await servers.changeLogin(config.name, login.issuer);
    } catch (error) {
      // The original error says more.
      await servers.logins.forget(config.name).catch(() => undefined);
      throw error;
    }
    this.#show({ type: 'done' });
  }

  #expire(): void {
    this.#forgetClient();
    this.#start = undefined;
    this.#fail({ code: 'expired', detail: '' });
  }

  #forgetClient(): void {
    // If it stays, the next attempt that is refused forgets it.
    if (this.#client?.isTyped !== true) this.#options.servers.logins.forgetClient(this.#issuer).catch(() => undefined);
  }

  async #step(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const code = error instanceof VaultLocked ? 'locked' : 'not-stored';
      this.#fail({ code, detail: messageOf(error) });
    }
  }

  #fail(problem: AttemptProblem): void {
    this.#show({ type: 'failed', problem });
  }

  #show(step: AttemptStep): void {
    if (!this.#isEnded) this.state.setState(step, true);
  }
}

import type { LoginStart } from '../login/login.ts';
import { type LoginAnswer, LoginHost } from '../login/login-host.ts';
import type { LoginClient, StoredLogin } from '../login/stored-login.ts';
import type { McpProblem } from '../problem.ts';
import type { TokenSource } from '../session-auth.ts';

/** Where the studio is that logs in. */
export const CONFORMANCE_ORIGIN = 'https://studio.example';

/** The maximum number of times that a person logs in. */
const LOGINS_MAX = 2;

/** A person's login at the server of a conformance test: the studio's own, with a person who agrees to everything. */
export class ConformanceLogin {
  readonly #url: string;
  /** As through the studio's server: what a page sends ahead, in order to be allowed to read answers, is nothing to test here. */
  readonly #host = new LoginHost([{ name: 'relay', fetch }]);
  /** The studio as each issuer knows it. */
  readonly #clients = new Map<string, LoginClient>();
  /** The client that the person got from an authorization server. */
  readonly #typed: LoginClient | undefined;
  #login: StoredLogin | undefined;
  #count = 0;

  constructor(url: string, client: { client_id?: string | undefined; client_secret?: string | undefined }) {
    const { client_id: id, client_secret: secret } = client;
    this.#url = url;
    this.#typed = id === undefined ? undefined : { id, ...(secret !== undefined && { secret }), isTyped: true };
  }

  readonly tokens: TokenSource = async (refused) =>
    this.#login === undefined || this.#login.accessToken === refused ? {} : { token: this.#login.accessToken };

  /** Checks whether the person would log in again because of this problem: they give up after some logins. */
  isWanted({ code }: McpProblem): boolean {
    return (code === 'needs-login' || code === 'needs-scope') && this.#count < LOGINS_MAX;
  }

  /** Logs in, also for permissions that are missing. Rejects with what a person would be told. */
  async logIn({ challenge = {} }: McpProblem): Promise<void> {
    this.#count += 1;
    const scope = this.#login?.scope;
    const { issuer } = said(
      await this.#host.find({ serverUrl: this.#url, origin: CONFORMANCE_ORIGIN, challenge, scope }),
    );
    const start = said<LoginStart>(await this.#host.start(this.#clients.get(issuer) ?? this.#typed));
    this.#clients.set(issuer, start.client);
    const answer = await fetch(start.url, { redirect: 'manual' });
    const back = answer.headers.get('location');
    if (back === null) throw new Error(`The authorization server answers with ${answer.status}.`);
    this.#login = said<StoredLogin>(await this.#host.finish(new URL(back).search.slice(1)));
  }
}

function said<Value extends object>(answer: LoginAnswer<Value>): Value {
  if ('problem' in answer) throw new Error(`${answer.problem.code}: ${answer.problem.detail}`);
  return answer;
}

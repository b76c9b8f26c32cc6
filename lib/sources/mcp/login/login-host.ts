import type { HttpRoute } from '../http-session.ts';
import { Login, type LoginRequest, type LoginStart } from './login.ts';
import { loginFetch } from './login-fetch.ts';
import type { LoginProblem } from './login-problem.ts';
import type { LoginClient, StoredLogin } from './stored-login.ts';
import { type LoginTokens, loginErrorOf, renewLogin, revokeLogin } from './tokens.ts';

/** The result of a method of `LoginHost`, as plain data, or the problem because of which there is none. */
export type LoginAnswer<Value> = Value | { problem: LoginProblem };

/**
 * Logs in to a tool server, step by step: `find`, `start`, `finish`. It is made to run in a worker: all arguments and results
 * are plain data. Nothing rejects: a failure is a `problem`.
 */
export class LoginHost {
  readonly #routes: readonly HttpRoute[];
  #login: Login | undefined;

  constructor(routes: readonly HttpRoute[]) {
    this.#routes = routes;
  }

  /** Finds out where a person logs in to a tool server. `start` and `finish` then continue this login. */
  find(request: LoginRequest): Promise<LoginAnswer<{ issuer: string }>> {
    return answer(async () => {
      this.#login = new Login(request, this.#routes);
      return { issuer: await this.#login.find() };
    });
  }

  /**
   * Begins the login that `find` prepared. `known`: the id and secret under which the issuer already knows the studio;
   * undefined if there are none.
   */
  start(known: LoginClient | undefined): Promise<LoginAnswer<LoginStart>> {
    return answer(async () => this.#begun().start(known));
  }

  /** Completes the login that `start` began. `query`: the query of the address that the person was sent back to. */
  finish(query: string): Promise<LoginAnswer<StoredLogin>> {
    return answer(async () => this.#begun().finish(query));
  }

  /** Requests new tokens for a login at the server. */
  renew(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<LoginTokens>> {
    return answer(() => renewLogin(login, loginFetch(serverUrl, this.#routes), Date.now()));
  }

  /** Asks the authorization server to forget the tokens of a login at the server. */
  revoke(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<Record<string, never>>> {
    return answer(async () => {
      await revokeLogin(login, loginFetch(serverUrl, this.#routes));
      return {};
    });
  }

  #begun(): Login {
    if (this.#login === undefined) throw new Error('No login has begun.');
    return this.#login;
  }
}

const answer = <Value>(step: () => Promise<Value>): Promise<LoginAnswer<Value>> =>
  step().catch((error: unknown) => ({ problem: loginErrorOf(error).problem }));

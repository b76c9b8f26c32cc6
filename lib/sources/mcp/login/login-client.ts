import type { Remote } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { LOGIN_LIMITS } from './limits.ts';
import type { LoginRequest, LoginStart } from './login.ts';
import type { LoginAnswer, LoginHost } from './login-host.ts';
import type { LoginClient, StoredLogin } from './stored-login.ts';
import type { LoginTokens } from './tokens.ts';

/** The path at which the studio serves the script of a login's worker, which is built separately. */
export const LOGIN_WORKER_FILE = '/workers/mcp-login.js';

/** Starts the worker for a `LoginWorker`, which runs a `LoginHost`. */
export const startLoginWorker = (): Worker => new Worker(LOGIN_WORKER_FILE, { type: 'module', name: 'login' });

/** Runs a `LoginHost` in a worker, which is ended if it does not answer in time. Nothing rejects: a failure is a `problem`. */
export class LoginWorker {
  readonly #worker: EndableWorker<LoginHost>;

  constructor(start: () => Worker) {
    this.#worker = new EndableWorker<LoginHost>({
      start,
      failure: (message) => new Error(message === '' ? 'The login’s worker ended.' : message),
    });
  }

  /** Finds out where a person logs in to a tool server. `start` and `finish` then continue this login. */
  find(request: LoginRequest): Promise<LoginAnswer<{ issuer: string }>> {
    return this.#run((host) => host.find(request) as Promise<LoginAnswer<{ issuer: string }>>);
  }

  /** Begins the login that `find` prepared. `known`: the id and secret under which the issuer already knows the studio. */
  start(known: LoginClient | undefined): Promise<LoginAnswer<LoginStart>> {
    return this.#run((host) => host.start(known) as Promise<LoginAnswer<LoginStart>>);
  }

  /** Completes the login that `start` began. `query`: the query of the address that the person was sent back to. */
  finish(query: string): Promise<LoginAnswer<StoredLogin>> {
    return this.#run((host) => host.finish(query) as Promise<LoginAnswer<StoredLogin>>);
  }

  /** Requests new tokens for a login at the server. */
  renew(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<LoginTokens>> {
    return this.#run((host) => host.renew(serverUrl, login) as Promise<LoginAnswer<LoginTokens>>);
  }

  /** Asks the authorization server to forget the tokens of a login at the server. */
  revoke(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<Record<string, never>>> {
    return this.#run((host) => host.revoke(serverUrl, login) as Promise<LoginAnswer<Record<string, never>>>);
  }

  /** Ends the worker, and with it a login that has begun. A later call of a method starts another worker. */
  end(): void {
    this.#worker.end();
  }

  #run<Value>(task: (host: Remote<LoginHost>) => Promise<LoginAnswer<Value>>): Promise<LoginAnswer<Value>> {
    const late = () => new Error('The login’s worker did not answer in time.');
    return this.#worker.run(task, { timeoutMs: LOGIN_LIMITS.stepMs, late }).catch((error: unknown) => ({
      problem: { code: 'failed', detail: messageOf(error) } as const,
    }));
  }
}

/** The methods of a `LoginWorker`, for implementations that use no worker, such as those of tests. */
export type LoginConnection = Pick<LoginWorker, 'find' | 'start' | 'finish' | 'renew' | 'revoke' | 'end'>;

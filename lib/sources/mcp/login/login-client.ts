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

/**
 * Runs a `LoginHost` in a worker, which is ended if it does not answer in time. The methods are those of `LoginHost`; `end`
 * ends the worker. Nothing rejects: a failure is a `problem`.
 */
export class LoginWorker {
  readonly #worker: EndableWorker<LoginHost>;

  constructor(start: () => Worker) {
    this.#worker = new EndableWorker<LoginHost>({
      start,
      failure: (message) => new Error(message === '' ? 'The login’s worker ended.' : message),
    });
  }

  find(request: LoginRequest): Promise<LoginAnswer<{ issuer: string }>> {
    return this.#run((host) => host.find(request) as Promise<LoginAnswer<{ issuer: string }>>);
  }

  start(known: LoginClient | undefined): Promise<LoginAnswer<LoginStart>> {
    return this.#run((host) => host.start(known) as Promise<LoginAnswer<LoginStart>>);
  }

  finish(query: string): Promise<LoginAnswer<StoredLogin>> {
    return this.#run((host) => host.finish(query) as Promise<LoginAnswer<StoredLogin>>);
  }

  renew(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<LoginTokens>> {
    return this.#run((host) => host.renew(serverUrl, login) as Promise<LoginAnswer<LoginTokens>>);
  }

  revoke(serverUrl: string, login: StoredLogin): Promise<LoginAnswer<Record<string, never>>> {
    return this.#run((host) => host.revoke(serverUrl, login) as Promise<LoginAnswer<Record<string, never>>>);
  }

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

import { LOGIN_LIMITS } from './limits.ts';

/** The reason why a login failed, for people: `detail` says what happened, possibly in a server's words. */
export interface LoginProblem {
  /**
   * `not-offered`: the server does not say where to log in. `needs-client`: the authorization server has to be told first
   * who asks. `untrusted`: what it says contradicts itself, or would not be safe. `ended`: a login that cannot be renewed.
   */
  code:
    | 'not-offered'
    | 'needs-client'
    | 'untrusted'
    | 'unreachable'
    | 'denied'
    | 'refused'
    | 'expired'
    | 'ended'
    | 'failed';
  detail: string;
}

/** Thrown when a login fails. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  readonly problem: LoginProblem;

  constructor(code: LoginProblem['code'], detail: string) {
    super(detail);
    this.problem = { code, detail: detail.slice(0, LOGIN_LIMITS.errorText) };
  }
}

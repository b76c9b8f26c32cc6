import { LOGIN_LIMITS } from './limits.ts';

/** The reason why a login failed, for people: `detail` says what happened, possibly in a server's words. */
export interface LoginProblem {
  /**
   * `not-offered`: the tool server does not say where to log in. `needs-client`: the authorization server does not know the
   * studio, and cannot register it. `untrusted`: a server's answer contradicts itself, or would not be safe. `denied`: the
   * person refused. `refused`: the authorization server did. `expired`: the login took too long, or is finished. `ended`: an
   * earlier login cannot be renewed.
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

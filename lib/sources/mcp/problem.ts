/** The details that a server gave when it asked for a login. */
export interface LoginChallenge {
  /** Where it describes its protection (RFC 9728). */
  metadataUrl?: string;
  /** The permissions that it wants, separated by spaces. */
  scope?: string;
}

/**
 * The reason why a server cannot be used, for people: `detail` says what happened. `needs-scope`: the login permits too
 * little. `login-unavailable`: it could not be renewed now.
 */
export type McpProblem = {
  code:
    | 'unreachable'
    | 'needs-login'
    | 'needs-scope'
    | 'login-unavailable'
    | 'refused'
    | 'not-mcp'
    | 'slow'
    | 'ended'
    | 'failed';
  detail: string;
  /** With `needs-login` and `needs-scope`. */
  challenge?: LoginChallenge;
};

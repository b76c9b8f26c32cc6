/** The details that a server gave when it asked for a login. */
export interface LoginChallenge {
  /** The address of the server's metadata about its protection (RFC 9728). */
  metadataUrl?: string;
  /** The permissions that the server wants, separated by spaces. */
  scope?: string;
}

/**
 * The reason why a tool server cannot be used, for people: `detail` says what happened. `needs-scope`: the login permits too
 * little. `login-unavailable`: the login could not be renewed now. `refused`: the server, or the studio's own, refused the
 * request. `not-mcp`: nothing at the address speaks the protocol. `slow`: the server did not answer in time. `ended`: the
 * server's program has ended.
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
  /** The details that the server gave when it asked for a login. Only with `needs-login` and `needs-scope`. */
  challenge?: LoginChallenge;
};

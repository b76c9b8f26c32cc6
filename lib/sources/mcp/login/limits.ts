/**
 * Limits for logging in to a tool server, whatever its authorization server answers: sizes of responses and tokens, and times.
 */
export const LOGIN_LIMITS = {
  /** One response, in bytes. */
  responseBytes: 262_144,
  /** The time limit for one request, including its response, in milliseconds. */
  requestMs: 15_000,
  /** The time limit for all requests of one task of a login's worker, such as `find` or `renew`, in milliseconds. */
  stepMs: 90_000,
  /** The time that a person has to log in, in milliseconds. */
  loginMs: 600_000,
  /** The number of permissions that a login asks for. */
  scopes: 100,
  /** All permissions of a login together, in characters. */
  scopeLength: 4_000,
  /** A token, in characters: with `Bearer`, it has to fit into a header that the relay passes on. */
  tokenLength: 8_000,
  /** A client's id, and its secret, in characters. */
  clientLength: 2_000,
  /** The maximum time for which an access token counts as valid, in milliseconds. */
  lifetimeMs: 31_536_000_000,
  /** The share of its lifetime after which an access token is renewed. */
  renewAfter: 0.9,
  /** The time after a token was issued in which its refusal does not lead to a renewal, in milliseconds. */
  refusedAtOnceMs: 5_000,
  /** An authorization server's description of an error, in characters; the rest is cut. */
  errorText: 500,
  /** The query with which a person comes back from an authorization server, in characters. */
  callbackLength: 16_384,
} as const;

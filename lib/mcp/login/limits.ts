/** What logging in to a tool server may cost, whatever its authorization server answers. */
export const LOGIN_LIMITS = {
  /** One response, in bytes. */
  responseBytes: 262_144,
  /** How long one request may take, its response included, in milliseconds. */
  requestMs: 15_000,
  /** How long all requests of one step of a login may take, in milliseconds. */
  stepMs: 90_000,
  /** How long a person may take to log in, in milliseconds. */
  loginMs: 600_000,
  /** Permissions that are asked for. */
  scopes: 100,
  /** All of them together, in characters. */
  scopeLength: 4_000,
  /** A token, in characters: with `Bearer`, it has to fit into a header that the relay passes on. */
  tokenLength: 8_000,
  /** A client's id, and its secret, in characters. */
  clientLength: 2_000,
  /** How long an access token counts as valid at most, in milliseconds. */
  lifetimeMs: 31_536_000_000,
  /** The share of its lifetime after which an access token is renewed. */
  renewAfter: 0.9,
  /** A token that is refused sooner than this after it was issued is not renewed, in milliseconds. */
  refusedAtOnceMs: 5_000,
  /** What an authorization server says about an error, in characters; the rest is cut. */
  errorText: 500,
  /** What a person comes back with from an authorization server, in characters. */
  callbackLength: 16_384,
} as const;

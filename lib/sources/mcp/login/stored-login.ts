import * as z from 'zod';

/**
 * The schema of the studio as an OAuth client of an authorization server: the id by which that server knows it, and the secret
 * if it has one.
 */
export const loginClientSchema = z.object({
  id: z.string(),
  secret: z.string().optional(),
  /** The method for sending the secret, if the authorization server has stated one. */
  method: z.string().optional(),
  /** When the secret expires, in milliseconds since the epoch; undefined if it does not. */
  endsAt: z.number().optional(),
  /** Whether the person has entered the id and the secret. */
  isTyped: z.boolean().optional(),
});

/** The studio as an OAuth client of an authorization server; see `loginClientSchema`. */
export type LoginClient = z.infer<typeof loginClientSchema>;

/**
 * The schema of a person's login at a tool server: its tokens, and the data for renewing and revoking them. All of it is
 * secret.
 */
export const storedLoginSchema = z.object({
  issuer: z.string(),
  /** The resource that the tokens are for. */
  resource: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  /** The methods by which the authorization server lets clients authenticate. */
  clientMethods: z.array(z.string()),
  client: loginClientSchema,
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  /** When the access token was issued, in milliseconds since the epoch. */
  issuedAt: z.number(),
  /**
   * When the access token has to be renewed, in milliseconds since the epoch; undefined if the authorization server did not
   * say for how long it is valid.
   */
  renewAt: z.number().optional(),
  /** The permissions that were given, separated by spaces. */
  scope: z.string().optional(),
});

/** A person's login at a tool server: its tokens, and the data for renewing and revoking them. All of it is secret. */
export type StoredLogin = z.infer<typeof storedLoginSchema>;

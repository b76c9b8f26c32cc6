/**
 * The path to which authorization servers (OAuth) send a person back who has decided about access; the outcome is in the query.
 */
export const OAUTH_CALLBACK_PATH = '/oauth/callback';

/** The path at which the studio describes itself to authorization servers: its client id metadata document. */
export const OAUTH_CLIENT_PATH = '/oauth/client-metadata.json';

/**
 * The `BroadcastChannel` on which the page at the callback path hands the query that it was opened with to the studio's
 * tabs.
 */
export const OAUTH_CHANNEL = 'roundtrip-oauth';

/**
 * Messages on `OAUTH_CHANNEL`: `callback`, from the page at the callback path, with its query; and `taken`, the answer of
 * the tab that waits for this query.
 */
export type OAuthMessage = { type: 'callback'; query: string } | { type: 'taken'; query: string };

/**
 * Returns the client metadata (RFC 7591) with which a studio at this origin describes itself to authorization servers: as a
 * client without a secret.
 */
export const oauthClientMetadata = (origin: string) => ({
  client_name: 'Roundtrip Studio',
  client_uri: `${origin}/`,
  redirect_uris: [origin + OAUTH_CALLBACK_PATH],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

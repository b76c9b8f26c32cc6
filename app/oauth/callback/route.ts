import { oauthCallbackResponse } from '#server/http/oauth-callback.ts';

export const dynamic = 'force-dynamic';

/**
 * Serves the page to which the authorization server of a tool server sends a person back after a login. The page passes the
 * outcome on to the open tabs of the studio.
 */
export const GET = oauthCallbackResponse;

import { oauthCallbackResponse } from '#server/http/oauth-callback.ts';

export const dynamic = 'force-dynamic';

/** Serves the page to which the authorization server of a tool server sends a person back after a login. */
export const GET = oauthCallbackResponse;

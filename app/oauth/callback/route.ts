import { oauthCallbackResponse } from '#server/http/oauth-callback.ts';

export const dynamic = 'force-dynamic';

/** The page to which authorization servers of tool servers send a person back. */
export const GET = oauthCallbackResponse;

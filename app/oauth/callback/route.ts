import { oauthCallbackResponse } from '#server/http/oauth-callback.ts';

export const dynamic = 'force-dynamic';

/** Where authorization servers of tool servers send a person back to. */
export const GET = oauthCallbackResponse;

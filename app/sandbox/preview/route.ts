import { PREVIEW_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** Serves the document of the visible frame in which a preview runs a workspace as a page. */
export const GET = (): Promise<Response> => frameResponse(PREVIEW_SANDBOX);

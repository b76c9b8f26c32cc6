import { PREVIEW_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** Serves the document of the frame in which a preview is visible. */
export const GET = (): Promise<Response> => frameResponse(PREVIEW_SANDBOX);

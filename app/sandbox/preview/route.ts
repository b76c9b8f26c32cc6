import { PREVIEW_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** The frame of a visible preview. */
export const GET = (): Promise<Response> => frameResponse(PREVIEW_SANDBOX);

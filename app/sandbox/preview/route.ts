import { PREVIEW_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** The frame for a page that people see. */
export const GET = (): Promise<Response> => frameResponse(PREVIEW_SANDBOX);

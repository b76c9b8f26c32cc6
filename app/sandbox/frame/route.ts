import { CODE_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** The frame in which code runs, out of sight. */
export const GET = (): Promise<Response> => frameResponse(CODE_SANDBOX);

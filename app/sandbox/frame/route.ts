import { CODE_SANDBOX } from '#lib/sandbox/frame-document.ts';
import { frameResponse } from '../frame-response.ts';

export const dynamic = 'force-dynamic';

/** Serves the document of the hidden frame in which code runs. */
export const GET = (): Promise<Response> => frameResponse(CODE_SANDBOX);

import { diagramDocument, diagramHeaders, scriptHash } from '#lib/sandbox/diagrams/frame-document.ts';

export const dynamic = 'force-dynamic';

/** Serves the document of the hidden frame in which diagrams are drawn. */
export const GET = async (): Promise<Response> =>
  new Response(diagramDocument, { headers: diagramHeaders(await scriptHash()) });

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { frameDocument, frameHeaders } from '#lib/sandbox/frame-document.ts';

let document: Promise<string> | undefined;

async function readDocument(): Promise<string> {
  // The build's `KERNEL_FILE`. It is a literal so that Next.js knows which file this route needs.
  return frameDocument(await readFile(join(process.cwd(), 'public/preview-files/kernel.txt'), 'utf8'));
}

/**
 * Responds with the document of the sandbox, which is the same for the frame in which code runs and for the frame of a
 * preview. Its headers give it an opaque origin without any network access. `sandbox`: the sandbox flags of its content
 * security policy.
 */
export async function frameResponse(sandbox: string): Promise<Response> {
  document ??= readDocument();
  return new Response(await document, { headers: frameHeaders(sandbox) });
}

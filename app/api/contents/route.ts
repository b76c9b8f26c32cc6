import { contentsRequestSchema } from '#lib/wire/contents.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Keeps the long texts in the request for a while, so that later requests can refer to them by their hashes instead of
 * sending them.
 */
export const POST = guarded(services, async (request) => {
  const { contents, env } = await services();
  const body = await readJson(request, contentsRequestSchema, env.REQUEST_MAX_BYTES);
  for (const text of body.contents) await contents.add(text);
  return new Response(null, { status: 204 });
});

import { contentsRequestSchema } from '#lib/wire/contents.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** Stores long texts that a following request refers to. */
export const POST = guarded(services, async (request) => {
  const { contents, env } = await services();
  const body = await readJson(request, contentsRequestSchema, env.REQUEST_MAX_BYTES);
  for (const text of body.contents) await contents.add(text);
  return new Response(null, { status: 204 });
});

import { cataloguePostSchema } from '#lib/wire/catalogue.ts';
import { CATALOGUE_BODY_MAX_BYTES } from '#server/http/catalogues.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Keeps the catalogue in the request, which describes the tools of a page, for a while, so that later requests can name it
 * by its hash instead of sending it.
 */
export const POST = guarded(services, async (request) => {
  const { catalogues } = await services();
  await catalogues.add((await readJson(request, cataloguePostSchema, CATALOGUE_BODY_MAX_BYTES)).text);
  return new Response(null, { status: 204 });
});

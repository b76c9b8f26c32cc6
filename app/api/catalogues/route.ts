import { cataloguePostSchema } from '#lib/wire/catalogue.ts';
import { CATALOGUE_BODY_MAX_BYTES } from '#server/http/catalogues.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** Keeps a catalogue of tools in memory, so that later requests can name it instead of sending it. */
export const POST = guarded(services, async (request) => {
  const { catalogues } = await services();
  await catalogues.add((await readJson(request, cataloguePostSchema, CATALOGUE_BODY_MAX_BYTES)).text);
  return new Response(null, { status: 204 });
});

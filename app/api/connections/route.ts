import { connectionRequestSchema } from '#lib/wire/connections.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { personalKeyOf, stepErrorsAsProblems } from '#server/http/personal-key.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

const BODY_MAX_BYTES = 16_384;

/**
 * Responds with the models of a provider or model server that a person wants to connect to. Asks it for them with the key
 * from a header, and stores neither its address nor the key.
 */
export const POST = guarded(services, async (request) => {
  const { personal } = await services();
  const body = await readJson(request, connectionRequestSchema, BODY_MAX_BYTES);
  const answer = await stepErrorsAsProblems(() => personal.list(body, personalKeyOf(request)));
  return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
});

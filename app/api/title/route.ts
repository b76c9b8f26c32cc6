import { titleRequestSchema } from '#lib/wire/title.ts';
import { toAgentModel } from '#models/language-model.ts';
import { describeModelError } from '#models/problems.ts';
import { askForTitle } from '#models/title.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { personalKeyOf } from '#server/http/personal-key.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { findModel } from '#server/runs/find-model.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

const BODY_MAX_BYTES = 1_048_576;

/** Asks the model that the request names for a title of a conversation, and responds with the title. */
export const POST = guarded(services, async (request) => {
  const studio = await services();
  const body = await readJson(request, titleRequestSchema, BODY_MAX_BYTES);
  const { model, apiKey, access } = await findModel(studio, body, personalKeyOf(request));
  try {
    const title = await askForTitle(toAgentModel(model, apiKey, studio.env, access), body, request.signal);
    return Response.json({ title }, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    const { code, detail } = describeModelError(error, apiKey);
    throw new HttpProblem(502, code, detail);
  }
});

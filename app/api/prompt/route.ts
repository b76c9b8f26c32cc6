import { UnknownCodecError } from '#lib/prompts/codecs/codecs.ts';
import { promptRequestSchema } from '#lib/wire/prompt.ts';
import { rebuildPrompt } from '#server/graph/rebuild-prompt.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { stepErrorsAsProblems } from '#server/http/personal-key.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Responds with a step's prompt, rebuilt from the step's recorded inputs, which the request contains. Sends nothing to any
 * model.
 */
export const POST = guarded(services, async (request) => {
  const { env, models, personal, contents, catalogues } = await services();
  const body = await readJson(request, promptRequestSchema, env.REQUEST_MAX_BYTES, contents);
  const { personal: own } = body;
  const model =
    own === undefined
      ? await models.get(body.model)
      : (await stepErrorsAsProblems(() => personal.resolve(body.model, own, undefined))).model;
  if (model === undefined) throw new HttpProblem(400, 'no-model', `The model "${body.model}" is no longer available.`);
  const catalogue = await catalogues.find(body.catalogue);
  try {
    return Response.json(await rebuildPrompt(body, model, env, catalogue), {
      headers: { 'cache-control': 'no-store' },
    });
  } catch (error) {
    throw error instanceof UnknownCodecError ? new HttpProblem(400, 'unknown-codec', error.message) : error;
  }
});

import { promptRequestSchema } from '#lib/api/prompt.ts';
import { rebuildPrompt } from '#server/graph/rebuild-prompt.ts';
import { guarded, readJson } from '#server/http/guard.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** A step's prompt, rebuilt from what it was made of. Nothing is sent to any model. */
export const POST = guarded(services, async (request) => {
  const { env, models, contents } = await services();
  const body = await readJson(request, promptRequestSchema, env.REQUEST_MAX_BYTES, contents);
  const model = await models.get(body.model);
  if (model === undefined) throw new HttpProblem(400, 'no-model', `There is no model "${body.model}" any more.`);
  return Response.json(await rebuildPrompt(body, model, env), { headers: { 'cache-control': 'no-store' } });
});

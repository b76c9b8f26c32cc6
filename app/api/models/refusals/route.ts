import { guarded } from '#server/http/guard.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Clears the record that the server of the model `?model=` refused native tools, which are tools that a request lists apart
 * from the prompt, so that the tool calling mode `auto` tries them again.
 */
export const DELETE = guarded(services, async (request) => {
  const { models, log } = await services();
  const id = new URL(request.url).searchParams.get('model') ?? '';
  const model = await models.get(id);
  if (model === undefined) throw new HttpProblem(404, 'no-such-model', `There is no model called "${id}".`);
  models.forgetToolRefusal(model);
  log.info({ model: id }, 'tool refusal cleared');
  return new Response(null, { status: 204 });
});

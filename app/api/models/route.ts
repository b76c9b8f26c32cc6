import { guarded } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** The available models; reloaded if the list is more than a few seconds old. */
export const GET = guarded(services, async () => {
  const { models } = await services();
  return Response.json(await models.list(), { headers: { 'cache-control': 'no-store' } });
});

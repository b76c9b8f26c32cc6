import { guarded } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** The models there are now; read anew when the last look is a few seconds old. */
export const GET = guarded(services, async () => {
  const { models } = await services();
  return Response.json(await models.list(), { headers: { 'cache-control': 'no-store' } });
});

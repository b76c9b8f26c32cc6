import { guarded } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** Responds once the studio is up and its database is open. */
export const GET = guarded(services, async () => {
  await services();
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
});

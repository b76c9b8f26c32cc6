import { guarded } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/** Responds with the list of the tool servers that the studio's operator offers. */
export const GET = guarded(services, async () => {
  const { toolServers } = await services();
  return Response.json({ servers: toolServers.list() }, { headers: { 'cache-control': 'no-store' } });
});

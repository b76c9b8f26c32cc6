export const dynamic = 'force-dynamic';

/** Responds as long as the process does, whatever host a load balancer names. Says nothing else. */
export const GET = (): Response => new Response('ok\n', { headers: { 'cache-control': 'no-store' } });

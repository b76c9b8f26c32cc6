export const dynamic = 'force-dynamic';

/** Responds with `ok` as long as the process can respond at all, whichever host the request names. Checks nothing else. */
export const GET = (): Response => new Response('ok\n', { headers: { 'cache-control': 'no-store' } });

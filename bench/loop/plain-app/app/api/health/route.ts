/** Says that the server is up. */
export const GET = (): Response => new Response('ok');

import { OAUTH_CLIENT_PATH, oauthClientMetadata } from '#lib/wire/oauth.ts';

export const dynamic = 'force-dynamic';

/** Describes the studio to authorization servers. They use the address of this route as its client id, which requires https. */
export const GET = (request: Request): Response => {
  // A proxy in front of this server ends the encryption. The proxy lets only the studio's own hosts pass.
  const origin = `https://${request.headers.get('host')}`;
  return Response.json(
    { client_id: origin + OAUTH_CLIENT_PATH, application_type: 'web', ...oauthClientMetadata(origin) },
    { headers: { 'cache-control': 'no-store' } },
  );
};

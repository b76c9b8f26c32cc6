import { CODEC_IDS } from '#lib/prompts/codecs/codecs.ts';
import type { ModelList } from '#lib/wire/models.ts';
import { guarded } from '#server/http/guard.ts';
import { services } from '#server/services.ts';

export const dynamic = 'force-dynamic';

/**
 * Responds with the available models, reloaded if the list is more than a few seconds old; with the ids of the codecs, the
 * forms in which models without native tool calling write calls; and with whether, and at which addresses, people may
 * connect models of their own.
 */
export const GET = guarded(services, async () => {
  const { models, personal } = await services();
  const { isAllowed, baseURLs } = personal;
  return Response.json(
    {
      ...(await models.list()),
      codecs: [...CODEC_IDS],
      personal: { isAllowed, baseURLs: [...baseURLs] },
    } satisfies ModelList,
    {
      headers: { 'cache-control': 'no-store' },
    },
  );
});

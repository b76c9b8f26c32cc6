import * as z from 'zod';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { RestClient, startRestWorker } from '#lib/sources/http-api/rest-client.ts';
import type { SourceKind } from '../source-kind.ts';
import { RestApis } from './rest-apis.ts';
import { RestStore, type StoredApi } from './rest-store.ts';

/** The description of an API, in YAML. */
const storedSchema = z.string().max(REST_LIMITS.source);

/** HTTP APIs, as a kind of source of external tools: opens the person's stored APIs, backs them up, and restores them. */
export const httpApis: SourceKind<RestApis> = {
  open: (options) => RestApis.open({ ...options, createClient: () => new RestClient(startRestWorker) }),

  async backUp(store) {
    return (await new RestStore(store).apis()).map(({ source }) => source);
  },

  async restore(store, stored) {
    const sources = stored.flatMap((one) => storedSchema.safeParse(one).data ?? []);
    const apis = await Promise.all(sources.slice(0, REST_LIMITS.apis).map(readSource));
    let added = 0;
    // The change may be made again if another tab makes one, too.
    await new RestStore(store).update((all) => {
      const known = new Map(all.map((one) => [one.api.name, one]));
      for (const one of apis)
        if (one !== undefined && !known.has(one.api.name) && known.size < REST_LIMITS.apis)
          known.set(one.api.name, one);
      added = known.size - all.length;
      return [...known.values()];
    });
    return added;
  },
};

/**
 * Reads an API, turned off, from its description in a backup, which is what the person reads; undefined if the description
 * cannot be used.
 */
async function readSource(source: string): Promise<StoredApi | undefined> {
  // Few backups have any, and reading them takes a parser.
  const { ApiFileError, readApiFile } = await import('#lib/sources/http-api/api-file.ts');
  try {
    return { isOn: false, source, api: await readApiFile(source, 'backup') };
  } catch (error) {
    if (error instanceof ApiFileError) return undefined;
    throw error;
  }
}

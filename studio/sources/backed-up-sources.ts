import * as z from 'zod';
import { REST_LIMITS } from '#lib/sources/http-api/limits.ts';
import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { serverConfigSchema } from '#lib/sources/mcp/server-config.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { RestStore } from './http-api/rest-store.ts';
import { McpStore } from './mcp/mcp-store.ts';

/** The person's tool servers and HTTP APIs in a backup: without secrets, logins, and what was allowed of them. */
export const sourcesSchema = z.object({
  servers: z.array(serverConfigSchema.omit({ login: true, isOn: true })).max(MCP_LIMITS.servers),
  /** The descriptions of APIs, in YAML. */
  apis: z.array(z.string().max(REST_LIMITS.source)).max(REST_LIMITS.apis),
});

export type BackedUpSources = z.infer<typeof sourcesSchema>;

/** Reads the sources that a backup contains. Rejects with `StorageError`. */
export async function sourcesToBackUp(store: ThreadStore): Promise<BackedUpSources> {
  const [servers, apis] = await Promise.all([new McpStore(store).servers(), new RestStore(store).apis()]);
  return {
    servers: servers.map(({ name, url, headers }) => ({ name, url, headers })),
    apis: apis.map(({ source }) => source),
  };
}

/**
 * Adds the servers and APIs of a backup whose names are not taken. They are turned off, because a backup may come from anyone,
 * and nothing in it acts on its own. Returns how many were added. APIs that cannot be read are left out. Rejects with
 * `StorageError`.
 */
export async function restoreSources(store: ThreadStore, { servers, apis }: BackedUpSources): Promise<number> {
  // The changes may be made again if another tab makes some, too.
  let [addedServers, addedApis] = [0, 0];
  await new McpStore(store).update((all) => {
    const names = new Set(all.map(({ name }) => name));
    const missing = servers
      .filter(({ name }) => !names.has(name))
      .slice(0, Math.max(0, MCP_LIMITS.servers - all.length));
    addedServers = missing.length;
    return [...all, ...missing.map((server) => ({ ...server, isOn: false }))];
  });
  const read = await Promise.all(apis.map(readSource));
  await new RestStore(store).update((all) => {
    const known = new Map(all.map((one) => [one.api.name, one]));
    for (const one of read)
      if (one !== undefined && !known.has(one.api.name) && known.size < REST_LIMITS.apis) known.set(one.api.name, one);
    addedApis = known.size - all.length;
    return [...known.values()];
  });
  return addedServers + addedApis;
}

/** An API by its description, which is what the person reads; undefined if it cannot be used. */
async function readSource(source: string) {
  // Few backups have any, and reading them takes a parser.
  const { ApiFileError, readApiFile } = await import('#lib/sources/http-api/api-file.ts');
  try {
    return { isOn: false, source, api: await readApiFile(source, 'backup') };
  } catch (error) {
    if (error instanceof ApiFileError) return undefined;
    throw error;
  }
}

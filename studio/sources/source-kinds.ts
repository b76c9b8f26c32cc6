import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { httpApis } from './http-api/http-apis.ts';
import { toolServers } from './mcp/tool-servers.ts';
import type { SourceOptions } from './source-kind.ts';

/** All kinds of sources that a person can add tools from, by their names in backups. */
const SOURCE_KINDS = { servers: toolServers, apis: httpApis };

/** All sources of external tools in a page, by kind: `servers` are the tool servers, `apis` the HTTP APIs. */
export type Sources = { [Kind in keyof typeof SOURCE_KINDS]: Awaited<ReturnType<(typeof SOURCE_KINDS)[Kind]['open']>> };

/** Opens the stored sources of every kind, and offers the tools of those that are on. */
export async function openSources(options: SourceOptions): Promise<Sources> {
  const opened: [name: string, sources: unknown][] = [];
  // One after the other, so that the tools are always in the same order, and the same one has a name that two want.
  for (const [name, { open }] of Object.entries(SOURCE_KINDS)) opened.push([name, await open(options)]);
  return Object.fromEntries(opened) as Sources;
}

/** The stored sources of each kind, by its name in `SOURCE_KINDS`, as a backup holds them. */
type BackedUpSources = Readonly<Record<string, unknown>>;

/** Reads the stored tool servers and HTTP APIs for a backup, without their secrets. Rejects with `StorageError`. */
export async function backUpSources(store: ThreadStore): Promise<BackedUpSources> {
  const read = Object.entries(SOURCE_KINDS).map(async ([name, kind]) => [name, await kind.backUp(store)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/**
 * Adds the tool servers and HTTP APIs of a backup whose names are not taken, turned off. What cannot be read is left out.
 * Resolves with the number of those that were added. Rejects with `StorageError`.
 */
export async function restoreSources(store: ThreadStore, backedUp: BackedUpSources): Promise<number> {
  let added = 0;
  for (const [name, kind] of Object.entries(SOURCE_KINDS)) {
    const stored = backedUp[name];
    if (Array.isArray(stored)) added += await kind.restore(store, stored);
  }
  return added;
}

import type { ReadSources } from '../stored-sources.ts';
import type { McpServer } from './mcp-server.ts';
import type { McpStore } from './mcp-store.ts';
import { studioServerConfig } from './studio-servers.ts';

/**
 * Reads the servers of the person and of the studio's operator; of two with the same name, only the person's. The state
 * of servers that are unchanged is kept. `known`: the servers so far, by name. Rejects with `StorageError`.
 */
export async function storedServers(
  store: McpStore,
  known: ReadonlyMap<string, McpServer>,
): Promise<ReadSources<McpServer>> {
  const own = await store.servers();
  const offered = new Map((await store.operatorServers()).map((one) => [one.name, one]));
  // Where names clash, the person's server is meant.
  const hidden = new Set(own.filter(({ name }) => offered.delete(name)).map(({ name }) => name));
  const read = await Promise.all(
    [...own, ...[...offered.values()].map(studioServerConfig)].map(async (config) => {
      // A connected tab knows better than what another tab has stored.
      const isRead = config.isOn && known.get(config.name)?.status !== 'ready';
      return { config, isRead, listing: isRead ? await store.listing(config.name) : undefined };
    }),
  );
  const shown = (
    { config, isRead, listing: stored }: (typeof read)[number],
    before: McpServer | undefined,
  ): McpServer => {
    const { name, isOn, url } = config;
    const isFromStudio = offered.has(name);
    const of = { config, isFromStudio, title: offered.get(name)?.title, hidesStudioServer: hidden.has(name) };
    const listing = isRead && before?.status !== 'ready' ? stored : before?.listing;
    if (before?.config.isOn === isOn && before.config.url === url) return { ...before, ...of, listing };
    return { ...of, status: isOn ? 'idle' : 'off', problem: undefined, listing, refused: [], tokens: 0 };
  };
  return { shown: (latest) => read.map((one) => shown(one, latest.get(one.config.name))) };
}

import type { McpServer } from './mcp-server.ts';
import type { McpStore } from './mcp-store.ts';
import { studioServerConfig } from './studio-servers.ts';

/**
 * Reads the servers of the person and of the studio's operator; of two with the same name, only the person's. `known`: the
 * servers so far, by name, whose state is kept if they are unchanged. Rejects with `StorageError`.
 */
export async function storedServers(
  store: McpStore,
  known: ReadonlyMap<string, McpServer>,
): Promise<readonly McpServer[]> {
  const own = await store.servers();
  const offered = new Map((await store.operatorServers()).map((one) => [one.name, one]));
  // Where names clash, the person's server is meant.
  const hidden = new Set(own.filter(({ name }) => offered.delete(name)).map(({ name }) => name));
  return Promise.all(
    [...own, ...[...offered.values()].map(studioServerConfig)].map(async (config): Promise<McpServer> => {
      const { name, isOn, url } = config;
      const before = known.get(name);
      const isFromStudio = offered.has(name);
      const of = { config, isFromStudio, title: offered.get(name)?.title, hidesStudioServer: hidden.has(name) };
      // A connected tab knows better than what another tab has stored.
      const listing = !isOn || before?.status === 'ready' ? before?.listing : await store.listing(name);
      if (before?.config.isOn === isOn && before.config.url === url) return { ...before, ...of, listing };
      return { ...of, status: isOn ? 'idle' : 'off', problem: undefined, listing, refused: [], tokens: 0 };
    }),
  );
}

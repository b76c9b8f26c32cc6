import { MCP_LIMITS } from '#lib/sources/mcp/limits.ts';
import { LoginWorker, startLoginWorker } from '#lib/sources/mcp/login/login-client.ts';
import { McpClient, startMcpWorker } from '#lib/sources/mcp/mcp-client.ts';
import { serverConfigSchema } from '#lib/sources/mcp/server-config.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';
import type { SourceKind } from '../source-kind.ts';
import { McpServers } from './mcp-servers.ts';
import { McpStore } from './mcp-store.ts';
import { ServerLogins } from './server-logins.ts';
import { listStudioServers } from './studio-servers.ts';

const storedSchema = serverConfigSchema.omit({ login: true, isOn: true });

/**
 * Tool servers, as a kind of source of external tools: opens those of the person and of the studio's operator, and backs up and
 * restores those of the person.
 */
export const toolServers: SourceKind<McpServers> = {
  open: ({ onNewToolsets, ...options }) =>
    McpServers.open({
      ...options,
      listStudioServers,
      onNewServers: (names) => onNewToolsets(names.map((name) => toolsetOf(TOOL_SERVER, name))),
      createClient: () => new McpClient(startMcpWorker),
      logins: new ServerLogins(options.vault, () => new LoginWorker(startLoginWorker)),
    }),

  async backUp(store) {
    const servers = await new McpStore(store).servers();
    return servers.map(({ name, url, headers }) => ({ name, url, headers }));
  },

  async restore(store, stored) {
    const servers = stored.flatMap((one) => storedSchema.safeParse(one).data ?? []);
    let added = 0;
    // The change may be made again if another tab makes one, too.
    await new McpStore(store).update((all) => {
      const known = new Map(all.map((one) => [one.name, one]));
      for (const server of servers)
        if (!known.has(server.name) && known.size < MCP_LIMITS.servers)
          known.set(server.name, { ...server, isOn: false });
      added = known.size - all.length;
      return [...known.values()];
    });
    return added;
  },
};

import type { KeyVault } from '#lib/keys/key-vault.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { lockableVault } from '../../test/lockable-vault.ts';
import { McpServers } from '../mcp-servers.ts';
import { DirectConnection, noLogins } from './direct-connection.ts';

interface ServerPageOptions {
  /** The function that sends its requests to servers. */
  fetch: typeof globalThis.fetch;
  store?: MemoryThreadStore;
  vault?: ReturnType<typeof lockableVault>;
  /** Tools besides those of servers. */
  own?: readonly Tool[];
}

/** The servers of a new page without an operator's servers, and all tools on offer there. */
export async function openServerPage({
  fetch,
  store = new MemoryThreadStore(),
  vault = lockableVault(),
  own = [],
}: ServerPageOptions): Promise<{ servers: McpServers; registry: ToolRegistry }> {
  const registry = new ToolRegistry(own);
  const openVault = async () => vault as unknown as KeyVault;
  const servers = await McpServers.open({
    store,
    registry,
    vault: openVault,
    logins: noLogins(openVault),
    createClient: () => new DirectConnection(fetch),
    listStudioServers: async () => [],
    onNewServers: () => undefined,
  });
  return { servers, registry };
}

/** A tool on offer. */
export function toolOf(registry: ToolRegistry, name: string): Tool {
  const tool = registry.get(name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
}

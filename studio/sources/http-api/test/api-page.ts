import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { RestConnection } from '#lib/sources/http-api/rest-client.ts';
import { type RestCall, RestHost } from '#lib/sources/http-api/rest-host.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { lockableVault } from '../../test/lockable-vault.ts';
import { RestApis } from '../rest-apis.ts';

interface ApiPageOptions {
  store?: MemoryThreadStore;
  vault?: ReturnType<typeof lockableVault>;
  /** Tools besides those of APIs. */
  own?: readonly Tool[];
  /** Called with each call that would be sent. */
  onCall?(call: RestCall): void;
}

/** The HTTP APIs of a new page, without a worker and a network, and all tools on offer there. */
export async function openApiPage({
  store = new MemoryThreadStore(),
  vault = lockableVault(),
  own = [],
  onCall,
}: ApiPageOptions): Promise<{ apis: RestApis; registry: ToolRegistry }> {
  const registry = new ToolRegistry([]);
  registry.add(own);
  const createClient = (): RestConnection => {
    const host = new RestHost([]);
    return {
      readApi: (...given) => host.readApi(...given),
      openDocument: async (source) => host.openDocument(source),
      describe: (chosen) => host.describe(chosen),
      async call(call) {
        onCall?.(call);
        return { type: 'output', content: [{ type: 'text', text: 'Done.' }] };
      },
      end: () => undefined,
    };
  };
  const apis = await RestApis.open({ store, registry, vault: async () => vault as unknown as KeyVault, createClient });
  return { apis, registry };
}

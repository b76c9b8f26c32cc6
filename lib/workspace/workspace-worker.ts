import { expose, type ProxyMarked, proxy } from 'comlink';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { PREFETCH_DELAY_MS } from '#lib/vfs/limits.ts';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { keepFailures } from './rpc.ts';
import { WorkspaceHost } from './workspace-host.ts';

/**
 * Opens a workspace. Where the browser gives no storage, it lives in this worker's memory only, and `problem` says why.
 * `onBlocked` tells that a tab with an older version of the studio keeps the workspace from being opened.
 */
async function open(name: string, onBlocked: () => void): Promise<WorkspaceHost & ProxyMarked> {
  try {
    const storage = await IndexedDbStorage.open(name, onBlocked);
    setTimeout(() => {
      // Reads that come later say themselves what is wrong.
      storage.prefetch().catch(() => undefined);
    }, PREFETCH_DELAY_MS);
    return proxy(new WorkspaceHost(storage));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return proxy(new WorkspaceHost(new MemoryStorage(), problem));
  }
}

export type OpenWorkspace = typeof open;

keepFailures();
expose(open);

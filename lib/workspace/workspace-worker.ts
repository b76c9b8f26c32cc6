import { expose, type ProxyMarked, proxy } from 'comlink';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { PREFETCH_AT_ONCE_MAX_PACKS, PREFETCH_DELAY_MS } from '#lib/vfs/limits.ts';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { keepFailures } from './rpc.ts';
import { WorkspaceHost } from './workspace-host.ts';

/**
 * Opens a workspace, with no name one in this worker's memory. `onBlocked` tells that a tab with an older version of the
 * studio keeps the workspace from being opened. Rejects with FileSystemError where it cannot be.
 */
async function open(name: string | undefined, onBlocked: () => void): Promise<WorkspaceHost & ProxyMarked> {
  if (name === undefined) return proxy(new WorkspaceHost(new MemoryStorage()));
  const storage = await IndexedDbStorage.open(name, onBlocked);
  // Reads that come later say themselves what is wrong.
  const prefetch = () => void storage.prefetch().catch(() => undefined);
  if (storage.packs.size <= PREFETCH_AT_ONCE_MAX_PACKS) prefetch();
  else setTimeout(prefetch, PREFETCH_DELAY_MS);
  return proxy(new WorkspaceHost(storage));
}

export type OpenWorkspace = typeof open;

keepFailures();
expose(open);

import { expose, type ProxyMarked, proxy } from 'comlink';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { PREFETCH_AT_ONCE_MAX_PACKS, PREFETCH_DELAY_MS } from '#lib/vfs/limits.ts';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { keepFailures } from './rpc.ts';
import { WorkspaceHost } from './workspace-host.ts';

/**
 * Opens a workspace; without a name, one in this worker's memory. `onBlocked` is called if a tab with an older version
 * of the studio prevents the workspace from being opened. Rejects with FileSystemError if it cannot be opened.
 */
async function open(name: string | undefined, onBlocked: () => void): Promise<WorkspaceHost & ProxyMarked> {
  if (name === undefined) return proxy(new WorkspaceHost(new MemoryStorage()));
  const storage = await IndexedDbStorage.open(name, onBlocked);
  // If something is wrong, later reads will report it.
  const prefetch = () => void storage.prefetch().catch(() => undefined);
  if (storage.packs.size <= PREFETCH_AT_ONCE_MAX_PACKS) prefetch();
  else setTimeout(prefetch, PREFETCH_DELAY_MS);
  return proxy(new WorkspaceHost(storage));
}

export type OpenWorkspace = typeof open;

keepFailures();
expose(open);

import { proxy, wrap } from 'comlink';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { PAGE_PREFETCH_DELAY_MS } from '#lib/vfs/limits.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import { type RunningWorker, startRunner, WorkspaceRunner } from './workspace-runner.ts';
import type { OpenWorkspace } from './workspace-worker.ts';

const WORKER_ENDED = 'the worker that keeps the files has ended; reload this page';

/** How long opening may take, an upgrade of all stored files included, in milliseconds. */
const OPEN_TIMEOUT_MS = 60_000;

/** A workspace of this browser, kept by a worker of this page. */
export interface Workspace {
  fileSystem: TreeFileSystem;
  history: WorkspaceHistory;
  /** Searches and runs commands in a worker of its own. */
  runner: WorkspaceRunner;
  /** Ends its workers. What was acknowledged is stored. */
  close(): void;
}

/**
 * Opens or makes the workspace of that name; a volatile one is in memory only, and gone with the page. Rejects with
 * FileSystemError EIO where its worker cannot do so, or not in time.
 */
export async function openWorkspace(name: string, { isVolatile = false } = {}): Promise<Workspace> {
  keepFailures();
  const worker = new Worker(new URL('./workspace-worker.ts', import.meta.url), { type: 'module', name });
  const failed = Promise.withResolvers<never>();
  const fail = (detail: string) => failed.reject(new FileSystemError('EIO', '/', { detail }));
  worker.onerror = ({ message }) => fail(message ? `${WORKER_ENDED} (${message})` : WORKER_ENDED);
  let late = 'the worker that keeps the files does not answer; reload this page';
  const onBlocked = () => {
    late = 'another tab with an older version of the studio holds the files; close it and reload this page';
  };
  const timer = setTimeout(() => fail(late), OPEN_TIMEOUT_MS);
  let storage: RemoteStorage;
  let running: RunningWorker | undefined;
  try {
    const host = await Promise.race([
      wrap<OpenWorkspace>(worker)(isVolatile ? undefined : name, proxy(onBlocked)),
      failed.promise,
    ]);
    // It starts while this page makes its tree, and costs no time then. A first visit does without.
    const onFilled = () => {
      running = startRunner();
    };
    storage = await Promise.race([RemoteStorage.open(host, onFilled), failed.promise]);
  } catch (error) {
    worker.terminate();
    running?.worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  failed.promise.catch((error: FileSystemError) => storage.fail(error.detail ?? error.message));
  const prefetching = setTimeout(() => void storage.prefetch(), PAGE_PREFETCH_DELAY_MS);
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  const runner = new WorkspaceRunner(isVolatile ? { storage } : { name }, fileSystem, history, running);
  const close = () => {
    clearTimeout(prefetching);
    runner.close();
    storage.fail('the workspace was closed');
    worker.terminate();
  };
  return { fileSystem, history, runner, close };
}

export { deleteDatabase as deleteWorkspace } from '#lib/vfs/indexeddb/delete-database.ts';

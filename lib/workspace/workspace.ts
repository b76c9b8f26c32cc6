import { proxy, wrap } from 'comlink';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import { WorkspaceRunner } from './workspace-runner.ts';
import type { OpenWorkspace } from './workspace-worker.ts';

const WORKER_ENDED = 'the worker that keeps the files has ended; reload this page';

/** A workspace of this browser, kept by a worker of this page. */
export interface Workspace {
  fileSystem: TreeFileSystem;
  history: WorkspaceHistory;
  /** Searches and runs commands in a worker of its own, started when it is first needed. */
  runner: WorkspaceRunner;
  /** Why the files are in memory only and will be gone with the page; undefined when they are stored. */
  problem: string | undefined;
  /** Ends its workers. What was acknowledged is stored. */
  close(): void;
}

/**
 * Opens or makes the workspace of that name. Rejects with FileSystemError EIO where its worker cannot be started.
 * `onBlocked` tells that another tab, with an older version of the studio, has to be closed or reloaded first.
 */
export async function openWorkspace(name: string, onBlocked: () => void = () => undefined): Promise<Workspace> {
  keepFailures();
  const worker = new Worker(new URL('./workspace-worker.ts', import.meta.url), { type: 'module', name });
  const failed = Promise.withResolvers<never>();
  worker.onerror = ({ message }) => {
    const detail = message === '' || message === undefined ? WORKER_ENDED : `${WORKER_ENDED} (${message})`;
    failed.reject(new FileSystemError('EIO', '/', { detail }));
  };
  const open = wrap<OpenWorkspace>(worker);
  const host = await Promise.race([open(name, proxy(onBlocked)), failed.promise]);
  const storage = await Promise.race([RemoteStorage.open(host), failed.promise]);
  failed.promise.catch((error: FileSystemError) => storage.fail(error.detail ?? error.message));
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  const { problem } = storage;
  const runner = new WorkspaceRunner(problem === undefined ? { name } : { storage }, fileSystem, history);
  const close = () => {
    runner.close();
    storage.fail('the workspace was closed');
    worker.terminate();
  };
  return { fileSystem, history, runner, problem, close };
}

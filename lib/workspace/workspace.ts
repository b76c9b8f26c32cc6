import { proxy, wrap } from 'comlink';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { readStoredTree } from '#lib/vfs/indexeddb/stored-tree.ts';
import { PAGE_PREFETCH_DELAY_MS } from '#lib/vfs/limits.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import type { WorkspaceHostApi } from './workspace-host.ts';
import { WorkspaceRunner } from './workspace-runner.ts';
import type { OpenWorkspace } from './workspace-worker.ts';

const WORKER_ENDED = 'the worker that keeps the files has ended; reload this page';

/** How long opening may take, an upgrade of all stored files included, in milliseconds. */
const OPEN_TIMEOUT_MS = 60_000;

/** How long the page tries to read the tree by itself: the database may wait for another tab. */
const READ_TIMEOUT_MS = 1_000;

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
 * Opens or makes the workspace of that name; a volatile one is in memory only, and gone with the page. The tree of one
 * that is there is read by the page itself; its worker starts when something else is first asked for, or a moment later.
 * Rejects with FileSystemError EIO where the worker is needed at once and cannot open it, or not in time; where it fails
 * later, everything does.
 */
export async function openWorkspace(name: string, { isVolatile = false } = {}): Promise<Workspace> {
  keepFailures();
  // The page reads a tree sooner than a worker starts.
  const read = isVolatile ? undefined : await Promise.race([readStoredTree(name), waited(READ_TIMEOUT_MS)]);
  const host = new HostWorker(name, isVolatile);
  let storage: RemoteStorage;
  try {
    storage =
      read === undefined
        ? await host.until(RemoteStorage.open(await host.opened))
        : RemoteStorage.follow(() => host.opened, read);
  } catch (error) {
    host.terminate();
    throw error;
  }
  host.onFailed((detail) => storage.fail(detail));
  const prefetching = setTimeout(() => void storage.prefetch(), PAGE_PREFETCH_DELAY_MS);
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  const runner = new WorkspaceRunner(isVolatile ? { storage } : { name }, fileSystem, history);
  // A first visit does without.
  const preparing = read && setTimeout(() => runner.prepare(), 0);
  const close = () => {
    clearTimeout(prefetching);
    clearTimeout(preparing);
    runner.close();
    storage.fail('the workspace was closed');
    host.terminate();
  };
  return { fileSystem, history, runner, close };
}

const waited = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

/** The worker that keeps the files, started when it is first needed. */
class HostWorker {
  readonly #name: string;
  readonly #isVolatile: boolean;
  readonly #failed = Promise.withResolvers<never>();
  #worker: Worker | undefined;
  #opened: Promise<WorkspaceHostApi> | undefined;

  constructor(name: string, isVolatile: boolean) {
    this.#name = name;
    this.#isVolatile = isVolatile;
    this.#failed.promise.catch(() => undefined);
  }

  /** Rejects with FileSystemError EIO where the worker cannot open the files, or not in time. */
  get opened(): Promise<WorkspaceHostApi> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** What it is asked, or why it has failed meanwhile. */
  until<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#failed.promise]);
  }

  onFailed(listener: (detail: string) => void): void {
    this.#failed.promise.catch((error: FileSystemError) => listener(error.detail ?? error.message));
  }

  terminate(): void {
    this.#worker?.terminate();
  }

  #open(): Promise<WorkspaceHostApi> {
    const worker = new Worker(new URL('./workspace-worker.ts', import.meta.url), {
      type: 'module',
      name: this.#name,
    });
    this.#worker = worker;
    const fail = (detail: string) => this.#failed.reject(new FileSystemError('EIO', '/', { detail }));
    worker.onerror = ({ message }) => fail(message ? `${WORKER_ENDED} (${message})` : WORKER_ENDED);
    let late = 'the worker that keeps the files does not answer; reload this page';
    const onBlocked = () => {
      late = 'another tab with an older version of the studio holds the files; close it and reload this page';
    };
    const timer = setTimeout(() => fail(late), OPEN_TIMEOUT_MS);
    return this.until(wrap<OpenWorkspace>(worker)(this.#isVolatile ? undefined : this.#name, proxy(onBlocked))).finally(
      () => clearTimeout(timer),
    );
  }
}

export { deleteDatabase as deleteWorkspace } from '#lib/vfs/indexeddb/delete-database.ts';

import { proxy } from 'comlink';
import { EndableWorker } from '#lib/base/endable-worker.ts';
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

const WORKER_ENDED = 'the worker that stores the files has stopped; reload this page';

/** The time limit for opening, including an upgrade of all stored files, in milliseconds. */
const OPEN_TIMEOUT_MS = 60_000;

/** The time, in milliseconds, after which opening counts as slow. */
const SLOW_OPEN_MS = 1_500;

/**
 * The reason why opening takes long. `blocked`: a tab with an older version of the studio has the files open. `slow`: not
 * known.
 */
export type OpeningDelay = 'blocked' | 'slow';

interface OpenWorkspaceOptions {
  isVolatile?: boolean;
  /** Called when opening takes long, and with undefined when it is over. */
  onDelay?(delay: OpeningDelay | undefined): void;
}

/** The time limit for reading the tree in the page itself, in milliseconds: another tab may block the database. */
const READ_TIMEOUT_MS = 1_000;

/** A workspace in this browser, stored by a worker of this page. */
export interface Workspace {
  fileSystem: TreeFileSystem;
  history: WorkspaceHistory;
  /** Searches and runs commands in a separate worker. */
  runner: WorkspaceRunner;
  /**
   * Terminates its workers. Commits that have resolved are stored. All other operations reject, those on files and the history
   * with EIO.
   */
  close(): void;
}

/**
 * Opens or creates the workspace with that name; a volatile one is only in memory and lost with the page. `onDelay`: called
 * when opening takes long, with the reason, and with undefined when it is over. The page itself reads the tree of an existing
 * workspace; the worker starts when something else is first needed, or a moment later. Rejects with `FileSystemError` EIO if
 * the worker is needed at once and cannot open it in time. If the worker fails later, all operations fail.
 */
export async function openWorkspace(
  name: string,
  { isVolatile = false, onDelay = () => undefined }: OpenWorkspaceOptions = {},
): Promise<Workspace> {
  keepFailures();
  // Reading the tree in the page is faster than starting a worker.
  const read = isVolatile ? undefined : await Promise.race([readStoredTree(name), waited(READ_TIMEOUT_MS)]);
  const host = new HostWorker(name, isVolatile, onDelay);
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
  // Not needed on a first visit.
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

/** The worker that stores the files, started when it is first needed, once: if it fails, there is no other. */
class HostWorker {
  readonly #name: string;
  readonly #isVolatile: boolean;
  readonly #onDelay: (delay: OpeningDelay | undefined) => void;
  readonly #failed = Promise.withResolvers<never>();
  readonly #worker = new EndableWorker<OpenWorkspace>({
    start: () => new Worker(new URL('./workspace-worker.ts', import.meta.url), { type: 'module', name: this.#name }),
    failure: (message) => unavailable(message === '' ? WORKER_ENDED : `${WORKER_ENDED} (${message})`),
    onFailure: (error) => this.#failed.reject(error),
  });
  #opened: Promise<WorkspaceHostApi> | undefined;

  constructor(name: string, isVolatile: boolean, onDelay: (delay: OpeningDelay | undefined) => void) {
    this.#name = name;
    this.#isVolatile = isVolatile;
    this.#onDelay = onDelay;
    // Those who wait for it get the error; there may be none.
    this.#failed.promise.catch(() => undefined);
  }

  /**
   * The interface of the worker once it has opened the files; the worker is started if it was not. Rejects with
   * FileSystemError EIO if the worker cannot open the files in time.
   */
  get opened(): Promise<WorkspaceHostApi> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Waits for an answer of the worker. Rejects with EIO if the worker fails in the meantime. */
  until<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#failed.promise]);
  }

  onFailed(listener: (detail: string) => void): void {
    this.#failed.promise.catch((error: FileSystemError) => listener(error.detail ?? error.message));
  }

  terminate(): void {
    this.#worker.end();
  }

  #open(): Promise<WorkspaceHostApi> {
    let reason = 'the worker that stores the files is not responding; reload this page';
    const slow = setTimeout(() => this.#onDelay('slow'), SLOW_OPEN_MS);
    const onBlocked = () => {
      clearTimeout(slow);
      this.#onDelay('blocked');
      reason = 'another tab with an older version of the studio has the files open; close it and reload this page';
    };
    const late = () => {
      const error = unavailable(reason);
      this.#failed.reject(error);
      return error;
    };
    const name = this.#isVolatile ? undefined : this.#name;
    const opened = this.#worker.run((open) => open(name, proxy(onBlocked)), { timeoutMs: OPEN_TIMEOUT_MS, late });
    const end = () => {
      clearTimeout(slow);
      this.#onDelay(undefined);
    };
    opened.then(end, end);
    return opened;
  }
}

const unavailable = (detail: string): FileSystemError => new FileSystemError('EIO', '/', { detail });

export { deleteDatabase as deleteWorkspace } from '#lib/vfs/indexeddb/delete-database.ts';

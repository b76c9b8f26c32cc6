import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import type { FileChange } from '#lib/vfs/file-system.ts';

/** The maximum number of directories that are watched at once. */
const WATCHED_MAX = 500;

/** The time for which changes are collected before the disk is looked at, in milliseconds. */
const COLLECT_MS = 100;

/**
 * Watches the directories that the storage has listed, and collects the changes that other programs make there. `reset`
 * drops them, and `take` returns those since the last `reset` or `take`.
 */
export class FolderWatcher {
  readonly #root: string;
  readonly #storage: DiskStorage;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #unsubscribe: () => void;
  #changes = new Map<string, FileChange['type']>();
  #timer: NodeJS.Timeout | undefined;

  /** `root`: the folder, real and absolute. */
  constructor(root: string, storage: DiskStorage) {
    this.#root = root;
    this.#storage = storage;
    this.#unsubscribe = storage.subscribe(({ report }) => {
      for (const { path, type } of report) this.#changes.set(path, type);
    });
  }

  /** Drops the changes so far, and watches all directories that were listed by now. */
  async reset(): Promise<void> {
    await this.#refresh();
    this.#changes.clear();
    const directories = new Set(this.#storage.tree.listedPaths().slice(0, WATCHED_MAX));
    for (const [path, watcher] of this.#watchers)
      if (!directories.has(path)) {
        watcher.close();
        this.#watchers.delete(path);
      }
    for (const path of directories) if (!this.#watchers.has(path)) this.#watch(path);
  }

  /** Returns the changes that other programs have made since the last `reset` or `take`. */
  async take(): Promise<{ path: string; type: FileChange['type'] }[]> {
    await this.#refresh();
    const changes = [...this.#changes].map(([path, type]) => ({ path, type }));
    this.#changes.clear();
    return changes;
  }

  /** Ends watching. */
  close(): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#unsubscribe();
  }

  #watch(path: string): void {
    try {
      const watcher = watch(join(this.#root, path), { persistent: false }, () => this.#look());
      // A directory that is gone, or one too many for the system, is not watched.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(path);
      });
      this.#watchers.set(path, watcher);
    } catch {
      // The same.
    }
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), COLLECT_MS);
    this.#timer.unref();
  }

  /**
   * Compares the storage with the disk. The storage then reports the differences to its subscriber. Never rejects: a folder
   * that is gone has nothing to report.
   */
  async #refresh(): Promise<void> {
    await this.#storage.refresh().catch(() => undefined);
    await Promise.resolve();
  }
}

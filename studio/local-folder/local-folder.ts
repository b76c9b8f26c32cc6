// More than 400 lines: the one state machine of a synced folder; comparing and reading the disk are apart.

import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { sha256 } from '#lib/base/sha256.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, FileSystemReader, FileSystemTransaction, Stat, Version } from '#lib/vfs/file-system.ts';
import { filesBelow, GENERATED_FOLDERS } from '#lib/vfs/files-below.ts';
import { accessOf, repositoryCheck } from '#lib/vfs/folder-access.ts';
import { AgreedFiles, agreedFileSchema } from './agreed-files.ts';
import {
  ChangingError,
  type DiskFile,
  DiskFolder,
  type DiskListing,
  readDiskFile,
  SkippedError,
  type SkippedFile,
} from './disk-folder.ts';

/** The interval between two scans of the folder for changes by other programs, in milliseconds. */
export const LOOK_EVERY_MS = 2_000;
/** The delay after a change before the workspace is copied to the folder, to batch changes. In milliseconds. */
const WRITE_DELAY_MS = 300;
/** The number of scans in a row that find a path changing before it counts as skipped. */
const MAX_CHANGING_LOOKS = 3;

export type FolderStatus =
  /** The two sides are being compared, or something is being copied. */
  | { type: 'syncing' }
  | { type: 'synced' }
  /** Everything is synced except `skipped`. */
  | { type: 'incomplete' }
  /** The user, or a switch to another branch, has paused it. */
  | { type: 'paused'; reason: 'person' | 'move' }
  /** The browser asks for permission again on each visit. */
  | { type: 'locked' }
  /** Another tab does the syncing. */
  | { type: 'elsewhere' }
  | { type: 'failed'; error: unknown };

export interface LocalFolderState {
  name: string;
  status: FolderStatus;
  /** Files that were changed on both sides. Neither side is touched until the user chooses. */
  conflicts: readonly string[];
  /** The paths that the last scan could not sync. Neither side is touched. */
  skipped: readonly SkippedFile[];
}

/** The data about a folder that is stored, so that it survives a reload. */
const folderMemorySchema = z.object({
  /** The files as both sides last had them, by path; absent until both sides have been the same once. */
  agreed: z.map(z.string(), agreedFileSchema).optional(),
  paused: z.enum(['person', 'move']).optional(),
});
export type FolderMemory = z.infer<typeof folderMemorySchema>;

const storedSchema = folderMemorySchema.extend({ handle: z.custom<FileSystemDirectoryHandle>(isDirectoryHandle) });

function isDirectoryHandle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'directory';
}

/**
 * Parses the stored setting of a synced folder: the folder's handle, and the state of its syncing. Returns undefined if the
 * value is no such setting.
 */
export function parseFolder(stored: unknown): { handle: FileSystemDirectoryHandle; memory: FolderMemory } | undefined {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success) return undefined;
  const { handle, ...memory } = parsed.data;
  return { handle, memory };
}

/**
 * Returns functions that store (`keep`) and read (`recall`) the state of a folder's syncing, in the setting `key`. `keep`
 * does nothing once the setting is deleted, as when syncing is ended. `recall` resolves with undefined if the setting is
 * deleted, or is about another folder than `handle`.
 */
export function storedMemory(
  store: Pick<ThreadStore, 'setting' | 'updateSetting'>,
  key: string,
  handle: FileSystemDirectoryHandle,
): Required<Pick<LocalFolderOptions, 'keep' | 'recall'>> {
  return {
    keep: async (memory) => {
      if (parseFolder(await store.setting(key)) === undefined) return;
      await store.updateSetting(key, (value) =>
        parseFolder(value) === undefined ? value : { ...Object(value), ...memory },
      );
    },
    recall: async () => {
      const stored = parseFolder(await store.setting(key));
      return stored !== undefined && (await stored.handle.isSameEntry(handle)) ? stored.memory : undefined;
    },
  };
}

/** The methods that Chromium offers beyond the standard types. */
interface PermittedHandle extends FileSystemDirectoryHandle {
  queryPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
}

/** A difference at one path; `there` (disk) and `here` (workspace) are what was seen of it. */
interface Difference {
  path: string;
  there: DiskFile | undefined;
  here: Version | undefined;
  /** Hash of the content on disk, if the plan needed it. */
  hash?: string;
}

export interface LocalFolderOptions {
  workspaceId: string;
  handle: FileSystemDirectoryHandle;
  fileSystem: FileSystem;
  memory: FolderMemory;
  /** Stores those parts of the memory that have changed. Stores nothing once the syncing of the folder was ended. */
  keep?(memory: FolderMemory): Promise<void>;
  /** Reads the stored memory; undefined if the workspace was given another folder, or none. */
  recall?: (() => Promise<FolderMemory | undefined>) | undefined;
  /** Called when another tab has ended the syncing of the folder. */
  onLeft?(): void;
}

/**
 * A folder on the user's computer that one tab keeps in sync with a workspace, in both directions. When they are first
 * joined, files that differ take the folder's content; the previous content stays in the workspace's history. After
 * that, changes on one side are copied to the other, and files changed on both sides wait for the user. Nothing that
 * has changed since the last scan is overwritten. Empty folders are not synced, nor is what tools may not change in a
 * folder on disk.
 */
export class LocalFolder {
  readonly state: StoreApi<LocalFolderState>;
  readonly #options: LocalFolderOptions;
  readonly #handle: PermittedHandle;
  readonly #disk: DiskFolder;
  #agreed: AgreedFiles;
  /** The number of scans in a row that have found each path changing. */
  #changing = new Map<string, number>();
  readonly #channel: BroadcastChannel;
  readonly #closing = new AbortController();
  /** Whether both sides have been the same once; any difference is then a later change. */
  #wasJoined: boolean;
  #paused: 'person' | 'move' | undefined;
  /** Whether the person has resumed syncing in this tab, and that is not stored yet. */
  #resumes = false;
  /** Whether this tab does the syncing, or waits until no other one does. */
  #isInLine = false;
  /** Whether this tab does the syncing. */
  #isActive = false;
  readonly #work = new SerialQueue();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch = () => {};

  constructor(options: LocalFolderOptions) {
    const { workspaceId, handle, memory } = options;
    this.#options = options;
    this.#handle = handle as PermittedHandle;
    this.#disk = new DiskFolder(handle);
    this.#agreed = new AgreedFiles(memory.agreed);
    this.#wasJoined = memory.agreed !== undefined;
    this.#paused = memory.paused;
    this.#channel = new BroadcastChannel(`roundtrip-studio:folder:${workspaceId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<'person' | 'move'>) => this.#pauseHere(data);
    this.state = createStore<LocalFolderState>(() => ({
      name: handle.name,
      status: { type: 'locked' },
      conflicts: [],
      skipped: [],
    }));
  }

  /** Starts syncing if the user has given permission. With `ask`, asks for it first, which requires a click. */
  async start({ ask }: { ask: boolean }): Promise<void> {
    const mode = { mode: 'readwrite' } as const;
    const permission = await (ask ? this.#handle.requestPermission(mode) : this.#handle.queryPermission(mode));
    if (this.#closing.signal.aborted) return;
    if (permission !== 'granted') return this.#show({ type: 'locked' });
    if (this.#isActive) return this.#run();
    this.#show({ type: 'elsewhere' });
    // It is in line already.
    if (this.#isInLine) return;
    this.#isInLine = true;
    const name = `roundtrip-studio:folder:${this.#options.workspaceId}`;
    const { signal } = this.#closing;
    await new Promise<void>((resolve) => {
      navigator.locks
        .request(name, { signal }, async () => {
          // Another tab may have synced it until now, or left it.
          const memory = await this.#recall();
          if (memory === undefined) {
            this.#options.onLeft?.();
            return resolve();
          }
          if (signal.aborted) return undefined;
          this.#agreed = new AgreedFiles(memory.agreed);
          this.#agreed.hasChanged = this.#resumes;
          this.#wasJoined = memory.agreed !== undefined;
          this.#isActive = true;
          this.#unwatch = this.#options.fileSystem.watch(() => this.#lookIn(WRITE_DELAY_MS));
          void this.#run().then(resolve);
          return new Promise<void>((release) => signal.addEventListener('abort', () => release(), { once: true }));
        })
        .catch((error: unknown) => {
          this.#isInLine = false;
          if (!signal.aborted) this.#show({ type: 'failed', error });
          resolve();
        });
    });
  }

  /**
   * Pauses copying, in whichever tab does it, until the user resumes it. `move`: because all files of the workspace are put
   * back into their state at another message.
   */
  pause(reason: 'person' | 'move'): void {
    this.#channel.postMessage(reason);
    this.#pauseHere(reason);
    // The tab that syncs the folder knows its state better.
    if (!this.#isActive) void this.#options.keep?.({ paused: reason }).catch(() => undefined);
  }

  /**
   * Resumes copying, for which the browser may ask for permission. The workspace's changes are copied to the folder, except
   * where the folder has changed as well.
   */
  async resume(): Promise<void> {
    this.#paused = undefined;
    this.#resumes = true;
    this.#agreed.hasChanged = true;
    await this.start({ ask: true });
  }

  /** Resolves a conflict: copies the version of `side` to the other side. */
  async resolve(path: string, side: 'folder' | 'workspace'): Promise<void> {
    await this.#queue(async () => {
      const there = (await this.#disk.list()).files.get(path);
      const here = (await this.#readWorkspace()).get(path);
      const hash = there && (await sha256((await readDiskFile(there)).data));
      const report = new SyncReport();
      if (side === 'folder') await this.#pullAll([{ path, there, here }], report);
      else await report.attempt(path, () => this.#push({ path, there, here, ...defined({ hash }) }, report));
    });
    await this.#sync();
  }

  /** Stops syncing; resolves when nothing is being copied anymore. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#channel.close();
    this.#unwatch();
    clearTimeout(this.#timer);
    await this.#work.idle();
  }

  #show(status: FolderStatus): void {
    this.state.setState({ status });
  }

  #pauseHere(reason: 'person' | 'move'): void {
    clearTimeout(this.#timer);
    this.#paused = reason;
    const { type } = this.state.getState().status;
    if (type !== 'locked') this.#show({ type: 'paused', reason });
    if (this.#isActive) void this.#queue(() => this.#remember(true));
  }

  async #recall(): Promise<FolderMemory | undefined> {
    const { recall, memory } = this.#options;
    return recall === undefined ? memory : recall();
  }

  get #mayCopy(): boolean {
    return this.#isActive && this.#paused === undefined && !this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    if (this.#paused !== undefined) return this.#show({ type: 'paused', reason: this.#paused });
    this.#show({ type: 'syncing' });
    await this.#sync();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#mayCopy) this.#timer = setTimeout(() => void this.#sync(), ms);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    return this.#work.run(work).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#show({ type: 'locked' });
      else this.#show({ type: 'failed', error });
    });
  }

  async #remember(always: boolean): Promise<void> {
    if (this.#closing.signal.aborted || !(always || this.#agreed.hasChanged)) return;
    this.#agreed.hasChanged = false;
    await this.#options.keep?.({
      ...(this.#wasJoined && { agreed: this.#agreed.snapshot() }),
      paused: this.#paused,
    });
  }

  /** Compares the two sides and copies the differences. A path that cannot be synced does not block the others. */
  async #sync(): Promise<void> {
    await this.#queue(async () => {
      if (!this.#mayCopy) return;
      const listing = await this.#disk.list();
      const here = await this.#readWorkspace();
      const report = new SyncReport(listing);
      const { pulls, pushes, conflicts } = await this.#plan(listing, here, report);
      // Deletions first: they make room for new files.
      for (const one of byDeletion(pushes, 'here'))
        await report.attempt(one.path, async () => {
          if (this.#mayCopy) await this.#push(one, report);
        });
      if (pulls.length > 0 && this.#mayCopy) await this.#pullAll(byDeletion(pulls, 'there'), report);
      if (!this.#mayCopy) return;
      if (!this.#wasJoined) this.#agreed.hasChanged = true;
      this.#wasJoined = true;
      await this.#remember(false);
      this.#showReport(conflicts, report);
    });
    this.#lookIn(LOOK_EVERY_MS);
  }

  #showReport(conflicts: readonly string[], { skipped, changing }: SyncReport): void {
    this.#changing = new Map([...changing].map((path) => [path, (this.#changing.get(path) ?? 0) + 1]));
    const stuck = [...this.#changing].filter(([, looks]) => looks >= MAX_CHANGING_LOOKS);
    const all = [...skipped, ...stuck.map(([path]): SkippedFile => ({ path, reason: { type: 'changing' } }))].sort(
      (a, b) => (a.path < b.path ? -1 : 1),
    );
    const isSettled = changing.size === stuck.length;
    this.state.setState({
      conflicts,
      skipped: all,
      status: { type: all.length > 0 ? 'incomplete' : isSettled ? 'synced' : 'syncing' },
    });
  }

  /** Determines what each path needs. Paths that need nothing are recorded as agreed. */
  async #plan({ files, paths, isHidden }: DiskListing, versions: ReadonlyMap<string, Version>, report: SyncReport) {
    const pulls: Difference[] = [];
    const pushes: Difference[] = [];
    const conflicts: string[] = [];
    const due = this.#agreed.due(files);
    const isInRepository = repositoryCheck([...paths, ...versions.keys()]);
    for (const path of new Set([...files.keys(), ...versions.keys(), ...this.#agreed.paths()])) {
      if (isHidden(path)) continue;
      const access = accessOf(path);
      if (access !== 'open' || isInRepository(path)) {
        // Earlier versions have synced it. From now on, both sides keep what they have.
        this.#agreed.remove(path);
        if (versions.has(path) && access !== 'unlisted') report.skipped.push({ path, reason: { type: 'protected' } });
        continue;
      }
      await report.attempt(path, async () => {
        const one = await this.#look({ path, there: files.get(path), here: versions.get(path) }, due.has(path));
        const { there, here, hash } = one;
        const agreed = this.#agreed.get(path);
        const hasChangedThere = (there === undefined) !== (agreed === undefined) || hash !== agreed?.hash;
        const hasChangedHere = here !== agreed?.version;
        if (!hasChangedThere && !hasChangedHere) return;
        if (!hasChangedHere) pulls.push(one);
        else if (!hasChangedThere) pushes.push(one);
        else if (there === undefined && here === undefined) this.#agreed.remove(path);
        // A deletion on one side never deletes a change on the other.
        else if (here === undefined) pulls.push(one);
        else if (there === undefined) pushes.push(one);
        else if (hash !== undefined && hash === (await this.#hashHere(path)))
          this.#agreed.agree(path, there, here, hash);
        else if (agreed !== undefined) conflicts.push(path);
        else if (!this.#wasJoined) pulls.push(one);
        // An interrupted write left an empty file behind.
        else if (there.file.size === 0) pushes.push(one);
        else conflicts.push(path);
      });
    }
    return { pulls, pushes, conflicts };
  }

  /** Adds the hash of the file on disk. Reuses the agreed hash if nothing suggests that the file has changed. */
  async #look(one: Difference, isDue: boolean): Promise<Difference> {
    const { path, there, here } = one;
    if (there === undefined) return one;
    const agreed = this.#agreed.get(path);
    const { lastModified, size } = there.file;
    const looksSame = agreed !== undefined && agreed.lastModified === lastModified && agreed.size === size;
    if (looksSame && !isDue && agreed.hash !== undefined) return { ...one, hash: agreed.hash };
    const { data, file } = await readDiskFile(there);
    const hash = await sha256(data);
    if (agreed === undefined) return { ...one, there: file, hash };
    const isKnown =
      agreed.hash !== undefined
        ? hash === agreed.hash
        : // A memory from an earlier version has only timestamp and size.
          here === agreed.version
          ? hash === (await this.#hashHere(path))
          : looksSame;
    if (isKnown) this.#agreed.agree(path, file, agreed.version, hash);
    return { ...one, there: file, hash };
  }

  async #hashHere(path: string): Promise<string> {
    return sha256(await this.#options.fileSystem.readFile(path));
  }

  /**
   * Copies files and deletions from the folder into the workspace, in one commit. A file that has changed in the workspace
   * since the scan is left for the next one.
   */
  async #pullAll(pulls: readonly Difference[], report: SyncReport): Promise<void> {
    const contents = new Map<string, { data: Uint8Array; file: DiskFile }>();
    for (const { path, there } of pulls)
      if (there !== undefined)
        await report.attempt(path, async () => void contents.set(path, await readDiskFile(there)));
    const ready = pulls.filter(({ path, there }) => there === undefined || contents.has(path));
    const { versions, refused } = await this.#options.fileSystem.transaction({ type: 'person' }, async (tx) => {
      const versions = new Map<string, Version | undefined>();
      const refused = new Map<string, unknown>();
      for (const { path, here } of ready) {
        try {
          if ((await versionAt(tx, path)) !== here) continue;
          const data = contents.get(path)?.data;
          if (data !== undefined) {
            await removeEmptyFolder(tx, path);
            tx.writeFile(path, data);
          } else if (here !== undefined) tx.rm(path);
          versions.set(path, data === undefined ? undefined : (await tx.stat(path)).version);
        } catch (error) {
          refused.set(path, error);
        }
      }
      return { versions, refused };
    });
    for (const { path } of ready) {
      const content = contents.get(path);
      const version = versions.get(path);
      if (refused.has(path)) await report.attempt(path, () => Promise.reject(refused.get(path)));
      else if (!versions.has(path)) report.changing.add(path);
      else if (content !== undefined && version !== undefined)
        this.#agreed.agree(path, content.file, version, await sha256(content.data));
      else this.#agreed.remove(path);
    }
  }

  /**
   * Copies a file or a deletion from the workspace into the folder. If it has changed on either side since the scan, it is left
   * for the next one.
   */
  async #push({ path, here, hash }: Difference, report: SyncReport): Promise<void> {
    if (here === undefined) {
      if (hash === undefined || (await this.#disk.remove(path, hash)) === 'removed') return this.#agreed.remove(path);
      report.changing.add(path);
      return this.#doubt(path);
    }
    const data = await this.#options.fileSystem.readFile(path);
    if ((await versionAt(this.#options.fileSystem, path)) !== here) return void report.changing.add(path);
    const written = await this.#disk.write(path, data, hash);
    if (written.type === 'written') return this.#agreed.agree(path, written.file, here, await sha256(data));
    report.changing.add(path);
    if (written.type === 'changed') this.#doubt(path);
    else this.#agreed.doubt(path, here, await sha256(data));
  }

  #doubt(path: string): void {
    const agreed = this.#agreed.get(path);
    if (agreed?.hash !== undefined) this.#agreed.doubt(path, agreed.version, agreed.hash);
  }

  async #readWorkspace(): Promise<Map<string, Version>> {
    const { fileSystem } = this.#options;
    const found = new Map<string, Version>();
    for await (const { path } of filesBelow(fileSystem, '/', GENERATED_FOLDERS))
      found.set(path, (await fileSystem.stat(path)).version);
    return found;
  }
}

/** The paths that one scan could not sync. */
class SyncReport {
  readonly skipped: SkippedFile[];
  /** The paths that changed during the scan; the next scan tries again. */
  readonly changing: Set<string>;

  constructor(listing: Pick<DiskListing, 'skipped' | 'changing'> = { skipped: [], changing: [] }) {
    this.skipped = [...listing.skipped];
    this.changing = new Set(listing.changing);
  }

  /**
   * Runs the work for one path, and notes an error that concerns only this path. Rejects with errors that would affect every
   * other path as well.
   */
  async attempt(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isFatal(error)) throw error;
      if (error instanceof ChangingError || (error instanceof FileSystemError && error.code === 'ENOENT'))
        this.changing.add(path);
      else if (error instanceof SkippedError) this.skipped.push({ path, reason: error.reason });
      else if (error instanceof FileSystemError && (error.code === 'EISDIR' || error.code === 'ENOTDIR'))
        this.skipped.push({ path, reason: { type: 'kind' } });
      else this.skipped.push({ path, reason: { type: 'unwritable', message: messageOf(error) } });
    }
  }
}

/** Removes a folder that contains no file if it is in the way of a file. */
async function removeEmptyFolder(tx: FileSystemTransaction, path: string): Promise<void> {
  if ((await statAt(tx, path))?.type !== 'directory') return;
  for await (const _ of filesBelow(tx, path)) throw new FileSystemError('EISDIR', path);
  tx.rm(path, { recursive: true });
}

/** The version of the file at a path. Undefined if there is none, or a folder; rejects if the file system fails. */
async function versionAt(fileSystem: FileSystemReader, path: string): Promise<Version | undefined> {
  const stat = await statAt(fileSystem, path);
  return stat?.type === 'directory' ? undefined : stat?.version;
}

async function statAt(fileSystem: FileSystemReader, path: string): Promise<Stat | undefined> {
  try {
    return await fileSystem.stat(path);
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Checks whether an error would affect every other path as well. */
const isFatal = (error: unknown): boolean =>
  (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'QuotaExceededError')) ||
  (error instanceof FileSystemError && error.code === 'ENOSPC');

const byDeletion = (differences: readonly Difference[], side: 'there' | 'here'): Difference[] =>
  [...differences].sort((a, b) => Number(a[side] !== undefined) - Number(b[side] !== undefined));

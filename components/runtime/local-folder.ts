import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ArchiveError } from '#lib/archive/archive-error.ts';
import type { FileSystem, Version } from '#lib/vfs/file-system.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_ENTRIES } from './import-files.ts';

/** How often the folder is looked through for changes by other programs, in milliseconds. */
const LOOK_EVERY_MS = 2_000;
/** How long after a change in the workspace it goes to the folder, with what changed meanwhile. */
const WRITE_DELAY_MS = 300;

/** Folders that are left out on both sides: large, and made by tools. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

export type FolderStatus =
  /** The two are being compared, or something is being copied. */
  | { type: 'syncing' }
  | { type: 'synced' }
  /** The person, or a move to another branch, has stopped it for now. */
  | { type: 'paused'; reason: 'person' | 'move' }
  /** The browser asks for permission anew after each visit. */
  | { type: 'locked' }
  | { type: 'failed'; message: string };

export interface LocalFolderState {
  name: string;
  status: FolderStatus;
  /** Files that were changed on both sides; neither is touched until the person chooses. */
  conflicts: readonly string[];
}

/** A file as it was when both sides were the same: time and size of the folder's, version of the workspace's. */
export const agreedSchema = z.object({ lastModified: z.number(), size: z.number(), version: z.number() });
export type Agreed = z.infer<typeof agreedSchema>;

/** What the engine of Chromium has beyond the standard's types. */
interface PermittedHandle extends FileSystemDirectoryHandle {
  queryPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
}

/**
 * A folder of the person's computer that is kept the same as a workspace, both ways. When they are joined, files that
 * are on both sides and differ become the folder's; what they were stays in the workspace's history. Later, what one
 * side changed goes to the other, and what both changed waits for the person.
 */
export class LocalFolder {
  readonly state: StoreApi<LocalFolderState>;
  readonly #fileSystem: FileSystem;
  readonly #handle: PermittedHandle;
  readonly #keep: (agreed: ReadonlyMap<string, Agreed>) => Promise<void>;
  /** By path. */
  readonly #agreed: Map<string, Agreed>;
  /** Whether the two were the same once: then what differs was changed since. */
  #wasJoined: boolean;
  #work: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch = () => {};
  #isClosed = false;

  /** `agreed` is what `keep` was last given, if the two were joined before. */
  constructor(
    handle: FileSystemDirectoryHandle,
    fileSystem: FileSystem,
    agreed: ReadonlyMap<string, Agreed> | undefined,
    keep: (agreed: ReadonlyMap<string, Agreed>) => Promise<void>,
  ) {
    this.#agreed = new Map(agreed);
    this.#wasJoined = agreed !== undefined;
    this.#keep = keep;
    this.#handle = handle as PermittedHandle;
    this.#fileSystem = fileSystem;
    this.state = createStore<LocalFolderState>(() => ({
      name: handle.name,
      status: { type: 'locked' },
      conflicts: [],
    }));
  }

  /** Begins, if the person has allowed it; with `ask`, asks for that first, which only a click may do. */
  async start({ ask }: { ask: boolean }): Promise<void> {
    const mode = { mode: 'readwrite' } as const;
    const permission = await (ask ? this.#handle.requestPermission(mode) : this.#handle.queryPermission(mode));
    if (permission !== 'granted' || this.#isClosed) return this.#show({ type: 'locked' });
    this.#unwatch();
    this.#unwatch = this.#fileSystem.watch(() => this.#lookIn(WRITE_DELAY_MS));
    await this.#sync();
  }

  pause(reason: 'person' | 'move'): void {
    clearTimeout(this.#timer);
    const { type } = this.state.getState().status;
    if (type === 'syncing' || type === 'synced') this.#show({ type: 'paused', reason });
  }

  /** Goes on. What the workspace has now goes to the folder, unless that was changed meanwhile, too. */
  async resume(): Promise<void> {
    this.#show({ type: 'syncing' });
    await this.#sync();
  }

  /** Ends a conflict with one of the two versions. */
  async resolve(path: string, side: 'folder' | 'workspace'): Promise<void> {
    await this.#queue(async () => {
      const onDisk = await this.#readFolder();
      if (side === 'folder') await this.#pull(path, onDisk.get(path));
      else await this.#push(path);
      this.state.setState(({ conflicts }) => ({ conflicts: conflicts.filter((other) => other !== path) }));
    });
    await this.#sync();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch();
    clearTimeout(this.#timer);
  }

  #show(status: FolderStatus): void {
    this.state.setState({ status });
  }

  get #isRunning(): boolean {
    const { type } = this.state.getState().status;
    return !this.#isClosed && type !== 'paused';
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isRunning) this.#timer = setTimeout(() => void this.#sync(), ms);
  }

  #queue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#show({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    });
    return this.#work;
  }

  /** Compares the two sides and copies what differs. */
  async #sync(): Promise<void> {
    await this.#queue(async () => {
      if (this.#isClosed || this.state.getState().status.type === 'paused') return;
      const [onDisk, inWorkspace] = [await this.#readFolder(), await this.#readWorkspace()];
      const conflicts: string[] = [];
      for (const path of new Set([...onDisk.keys(), ...inWorkspace.keys(), ...this.#agreed.keys()])) {
        // It may have been paused in between, by a move of the files.
        if (this.state.getState().status.type === 'paused') return;
        if (!(await this.#syncFile(path, onDisk.get(path), inWorkspace.get(path)))) conflicts.push(path);
      }
      this.#wasJoined = true;
      await this.#keep(this.#agreed);
      this.state.setState({ conflicts, status: { type: 'synced' } });
    });
    this.#lookIn(LOOK_EVERY_MS);
  }

  /** False where both sides were changed, and not in the same way. */
  async #syncFile(path: string, onDisk: File | undefined, version: Version | undefined): Promise<boolean> {
    const agreed = this.#agreed.get(path);
    const hasChangedThere = onDisk?.lastModified !== agreed?.lastModified || onDisk?.size !== agreed?.size;
    const hasChangedHere = version !== agreed?.version;
    if (!hasChangedThere && !hasChangedHere) return true;
    if (!hasChangedHere) await this.#pull(path, onDisk);
    else if (!hasChangedThere) await this.#push(path);
    else if (onDisk === undefined && version === undefined) this.#agreed.delete(path);
    // A deletion never takes what the other side has written with it.
    else if (version === undefined) await this.#pull(path, onDisk);
    else if (onDisk === undefined) await this.#push(path);
    else if (await this.#isSame(path, onDisk)) this.#agree(path, onDisk, version);
    else if (agreed === undefined && !this.#wasJoined) await this.#pull(path, onDisk);
    else return false;
    return true;
  }

  async #isSame(path: string, file: File): Promise<boolean> {
    const [here, there] = [await this.#fileSystem.readFile(path), new Uint8Array(await file.arrayBuffer())];
    return here.byteLength === there.byteLength && here.every((byte, index) => byte === there[index]);
  }

  #agree(path: string, { lastModified, size }: File, version: Version): void {
    this.#agreed.set(path, { lastModified, size, version });
  }

  /** From the folder into the workspace. */
  async #pull(path: string, onDisk: File | undefined): Promise<void> {
    if (onDisk === undefined) {
      await this.#fileSystem.transaction({ type: 'person' }, async (tx) => tx.rm(path)).catch(() => undefined);
      this.#agreed.delete(path);
      return;
    }
    const data = new Uint8Array(await onDisk.arrayBuffer());
    const version = await this.#fileSystem.transaction({ type: 'person' }, async (tx) => {
      tx.writeFile(path, data);
      return (await tx.stat(path)).version;
    });
    this.#agree(path, onDisk, version);
  }

  /** From the workspace into the folder. */
  async #push(path: string): Promise<void> {
    const stat = await this.#fileSystem.stat(path).catch(() => undefined);
    const parent = await this.#directory(dirname(path), stat !== undefined);
    if (stat === undefined || parent === undefined) {
      await parent?.removeEntry(basename(path)).catch(() => undefined);
      this.#agreed.delete(path);
      return;
    }
    const data = await this.#fileSystem.readFile(path);
    const handle = await parent.getFileHandle(basename(path), { create: true });
    // Written beside, and put in place when it is whole.
    const writable = await handle.createWritable();
    await writable.write(data as Uint8Array<ArrayBuffer>);
    await writable.close();
    this.#agree(path, await handle.getFile(), stat.version);
  }

  async #directory(path: string, create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
    let directory: FileSystemDirectoryHandle = this.#handle;
    try {
      for (const name of path.split('/').filter(Boolean))
        directory = await directory.getDirectoryHandle(name, { create });
      return directory;
    } catch (error) {
      if (create) throw error;
      return undefined;
    }
  }

  async #readFolder(): Promise<Map<string, File>> {
    const found = new Map<string, File>();
    let bytes = 0;
    const visit = async (directory: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of directory.entries()) {
        if (LEFT_OUT.has(name)) continue;
        const child = joinPath(path, name);
        if (handle.kind === 'directory') await visit(handle as FileSystemDirectoryHandle, child);
        else {
          const file = await (handle as FileSystemFileHandle).getFile();
          bytes += file.size;
          found.set(child, file);
          if (found.size > IMPORT_MAX_ENTRIES || bytes > IMPORT_MAX_BYTES)
            throw new ArchiveError(
              `The folder has more than ${IMPORT_MAX_ENTRIES} files, or more than ${IMPORT_MAX_BYTES / 1_000_000} MB. Choose a smaller one.`,
            );
        }
      }
    };
    await visit(this.#handle, '/');
    return found;
  }

  async #readWorkspace(): Promise<Map<string, Version>> {
    const found = new Map<string, Version>();
    const visit = async (directory: string): Promise<void> => {
      for (const { name, type } of await this.#fileSystem.readdir(directory)) {
        if (LEFT_OUT.has(name)) continue;
        const path = joinPath(directory, name);
        if (type === 'directory') await visit(path);
        else if (type === 'file') found.set(path, (await this.#fileSystem.stat(path)).version);
      }
    };
    await visit('/');
    return found;
  }
}

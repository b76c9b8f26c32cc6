import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ArchiveError } from '#lib/archive/archive-error.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, FileSystemReader, Version } from '#lib/vfs/file-system.ts';
import { filesBelow, TOOL_FOLDERS } from '#lib/vfs/files-below.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_ENTRIES } from './import-files.ts';

/** How often the folder is looked through for changes by other programs, in milliseconds. */
const LOOK_EVERY_MS = 2_000;
/** How long after a change in the workspace it goes to the folder, with what changed meanwhile. */
const WRITE_DELAY_MS = 300;

export type FolderStatus =
  /** The two are being compared, or something is being copied. */
  | { type: 'syncing' }
  | { type: 'synced' }
  /** The person, or a move to another branch, has stopped it for now. */
  | { type: 'paused'; reason: 'person' | 'move' }
  /** The browser asks for permission anew after each visit. */
  | { type: 'locked' }
  /** Another tab does it. */
  | { type: 'elsewhere' }
  | { type: 'failed'; error: unknown };

export interface LocalFolderState {
  name: string;
  status: FolderStatus;
  /** Files that were changed on both sides; neither is touched until the person chooses. */
  conflicts: readonly string[];
}

/** A file as it was when both sides were the same: time and size of the folder's, version of the workspace's. */
const agreedSchema = z.object({ lastModified: z.number(), size: z.number(), version: z.number() });
type Agreed = z.infer<typeof agreedSchema>;

/** What is kept of a folder over a reload. */
const folderMemorySchema = z.object({
  /** By path; absent until the two were the same once. */
  agreed: z.map(z.string(), agreedSchema).optional(),
  paused: z.enum(['person', 'move']).optional(),
});
export type FolderMemory = z.infer<typeof folderMemorySchema>;

const storedSchema = folderMemorySchema.extend({ handle: z.custom<FileSystemDirectoryHandle>(isDirectoryHandle) });

function isDirectoryHandle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'directory';
}

/** A folder as it was stored; undefined where that is none. */
export function parseFolder(stored: unknown): { handle: FileSystemDirectoryHandle; memory: FolderMemory } | undefined {
  const parsed = storedSchema.safeParse(stored);
  if (!parsed.success) return undefined;
  const { handle, ...memory } = parsed.data;
  return { handle, memory };
}

/** What the engine of Chromium has beyond the standard's types. */
interface PermittedHandle extends FileSystemDirectoryHandle {
  queryPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
}

/** What is to be done to a path; `there` and `here` are what was seen of it. */
interface Difference {
  path: string;
  there: File | undefined;
  here: Version | undefined;
}

export interface LocalFolderOptions {
  workspaceId: string;
  handle: FileSystemDirectoryHandle;
  fileSystem: FileSystem;
  memory: FolderMemory;
  keep(memory: FolderMemory): Promise<void>;
}

/**
 * A folder of the person's computer that is kept the same as a workspace, both ways, by one tab. When they are joined,
 * files that are on both sides and differ become the folder's; what they were stays in the workspace's history. Later,
 * what one side changed goes to the other, and what both changed waits for the person. Nothing is written over what has
 * changed since it was looked at. Empty folders are not taken along.
 */
export class LocalFolder {
  readonly state: StoreApi<LocalFolderState>;
  readonly #options: LocalFolderOptions;
  readonly #handle: PermittedHandle;
  readonly #agreed: Map<string, Agreed>;
  readonly #channel: BroadcastChannel;
  readonly #closing = new AbortController();
  /** Whether the two were the same once: then what differs was changed since. */
  #wasJoined: boolean;
  #paused: 'person' | 'move' | undefined;
  #hasChanged = false;
  /** Whether this tab is the one that does it. */
  #isActive = false;
  #work: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch = () => {};

  constructor(options: LocalFolderOptions) {
    const { workspaceId, handle, memory } = options;
    this.#options = options;
    this.#handle = handle as PermittedHandle;
    this.#agreed = new Map(memory.agreed);
    this.#wasJoined = memory.agreed !== undefined;
    this.#paused = memory.paused;
    this.#channel = new BroadcastChannel(`roundtrip-studio:folder:${workspaceId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<'person' | 'move'>) => this.#pauseHere(data);
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
    if (this.#closing.signal.aborted) return;
    if (permission !== 'granted') return this.#show({ type: 'locked' });
    if (this.#isActive) return this.#run();
    this.#show({ type: 'elsewhere' });
    const name = `roundtrip-studio:folder:${this.#options.workspaceId}`;
    const { signal } = this.#closing;
    await new Promise<void>((resolve) => {
      navigator.locks
        .request(name, { signal }, () => {
          this.#isActive = true;
          this.#unwatch = this.#options.fileSystem.watch(() => this.#lookIn(WRITE_DELAY_MS));
          void this.#run().then(resolve);
          return new Promise<void>((release) => signal.addEventListener('abort', () => release(), { once: true }));
        })
        .catch(() => resolve());
    });
  }

  /** Stops copying, in whichever tab does it, until the person goes on. */
  pause(reason: 'person' | 'move'): void {
    this.#channel.postMessage(reason);
    this.#pauseHere(reason);
  }

  /** Goes on. What the workspace has now goes to the folder, unless that was changed meanwhile, too. */
  async resume(): Promise<void> {
    this.#paused = undefined;
    this.#hasChanged = true;
    await this.start({ ask: true });
  }

  /** Ends a conflict with one of the two versions. */
  async resolve(path: string, side: 'folder' | 'workspace'): Promise<void> {
    await this.#queue(async () => {
      const there = (await this.#readFolder()).get(path);
      const here = (await this.#readWorkspace()).get(path);
      if (side === 'folder') await this.#pullAll([{ path, there, here }]);
      else await this.#push({ path, there, here });
    });
    await this.#sync();
  }

  /** Ends it; resolves when nothing is being copied any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#channel.close();
    this.#unwatch();
    clearTimeout(this.#timer);
    await this.#work;
  }

  #show(status: FolderStatus): void {
    this.state.setState({ status });
  }

  #pauseHere(reason: 'person' | 'move'): void {
    clearTimeout(this.#timer);
    this.#paused = reason;
    const { type } = this.state.getState().status;
    if (type !== 'locked') this.#show({ type: 'paused', reason });
    void this.#queue(() => this.#remember(true));
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
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#show({ type: 'locked' });
      else this.#show({ type: 'failed', error });
    });
    return this.#work;
  }

  async #remember(always: boolean): Promise<void> {
    if (this.#closing.signal.aborted || !(always || this.#hasChanged)) return;
    this.#hasChanged = false;
    await this.#options.keep({
      ...(this.#wasJoined && { agreed: new Map(this.#agreed) }),
      ...(this.#paused !== undefined && { paused: this.#paused }),
    });
  }

  /** Compares the two sides and copies what differs. One path that cannot be copied does not hold up the others. */
  async #sync(): Promise<void> {
    await this.#queue(async () => {
      if (!this.#mayCopy) return;
      const [there, here] = [await this.#readFolder(), await this.#readWorkspace()];
      const paths = new Set([...there.keys(), ...here.keys(), ...this.#agreed.keys()]);
      const differences = Array.from(paths, (path) => ({ path, there: there.get(path), here: here.get(path) }));
      const { pulls, pushes, conflicts } = await this.#plan(differences);
      const problems: string[] = [];
      const attempt = async (path: string, work: () => Promise<void>) => {
        try {
          if (this.#mayCopy) await work();
        } catch (error) {
          if (isFatal(error)) throw error;
          problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        }
      };
      // What goes makes room for what comes.
      for (const one of byDeletion(pushes, 'here')) await attempt(one.path, () => this.#push(one));
      if (pulls.length > 0) await attempt(pulls[0]?.path ?? '/', () => this.#pullAll(byDeletion(pulls, 'there')));
      if (!this.#mayCopy) return;
      if (!this.#wasJoined) this.#hasChanged = true;
      this.#wasJoined = true;
      await this.#remember(false);
      const [problem] = problems;
      this.state.setState({
        conflicts,
        status: problem === undefined ? { type: 'synced' } : { type: 'failed', error: new Error(problem) },
      });
    });
    this.#lookIn(LOOK_EVERY_MS);
  }

  /** What each path needs; paths that need nothing are agreed upon here. */
  async #plan(differences: readonly Difference[]) {
    const pulls: Difference[] = [];
    const pushes: Difference[] = [];
    const conflicts: string[] = [];
    for (const one of differences) {
      const { path, there, here } = one;
      const agreed = this.#agreed.get(path);
      const hasChangedThere = there?.lastModified !== agreed?.lastModified || there?.size !== agreed?.size;
      const hasChangedHere = here !== agreed?.version;
      if (!hasChangedThere && !hasChangedHere) continue;
      if (!hasChangedHere) pulls.push(one);
      else if (!hasChangedThere) pushes.push(one);
      else if (there === undefined && here === undefined) this.#disagree(path);
      // A deletion never takes what the other side has written with it.
      else if (here === undefined) pulls.push(one);
      else if (there === undefined) pushes.push(one);
      else if (await this.#isSame(path, there)) this.#agree(path, there, here);
      else if (agreed === undefined && !this.#wasJoined) pulls.push(one);
      else conflicts.push(path);
    }
    return { pulls, pushes, conflicts };
  }

  async #isSame(path: string, file: File): Promise<boolean> {
    const [here, there] = [await this.#options.fileSystem.readFile(path), new Uint8Array(await file.arrayBuffer())];
    return here.byteLength === there.byteLength && here.every((byte, index) => byte === there[index]);
  }

  #agree(path: string, { lastModified, size }: File, version: Version): void {
    this.#agreed.set(path, { lastModified, size, version });
    this.#hasChanged = true;
  }

  #disagree(path: string): void {
    this.#agreed.delete(path);
    this.#hasChanged = true;
  }

  /** From the folder into the workspace, as one commit. What has changed there since is left for the next look. */
  async #pullAll(pulls: readonly Difference[]): Promise<void> {
    const contents = new Map<string, Uint8Array>();
    for (const { path, there } of pulls)
      if (there !== undefined) contents.set(path, new Uint8Array(await there.arrayBuffer()));
    const versions = await this.#options.fileSystem.transaction({ type: 'person' }, async (tx) => {
      const written = new Map<string, Version | undefined>();
      for (const { path, here } of pulls) {
        if ((await versionAt(tx, path)) !== here) continue;
        const data = contents.get(path);
        if (data !== undefined) tx.writeFile(path, data);
        else if (here !== undefined) tx.rm(path);
        written.set(path, data === undefined ? undefined : (await tx.stat(path)).version);
      }
      return written;
    });
    for (const { path, there } of pulls) {
      const version = versions.get(path);
      if (there !== undefined && version !== undefined) this.#agree(path, there, version);
      else if (there === undefined && versions.has(path)) this.#disagree(path);
    }
  }

  /** From the workspace into the folder, unless that has changed since it was looked at. */
  async #push({ path, there, here }: Difference): Promise<void> {
    const parent = await this.#directory(dirname(path), here !== undefined);
    const name = basename(path);
    const present = await fileIn(parent, name);
    if (present?.lastModified !== there?.lastModified || present?.size !== there?.size) return;
    if (here === undefined) {
      if (present !== undefined) await parent?.removeEntry(name);
      this.#disagree(path);
      return;
    }
    const data = await this.#options.fileSystem.readFile(path);
    if ((await versionAt(this.#options.fileSystem, path)) !== here || parent === undefined) return;
    const handle = await parent.getFileHandle(name, { create: true });
    // Written beside, and put in place when it is whole.
    const writable = await handle.createWritable();
    await writable.write(data as Uint8Array<ArrayBuffer>);
    await writable.close();
    this.#agree(path, await handle.getFile(), here);
  }

  async #directory(path: string, create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
    let directory: FileSystemDirectoryHandle = this.#handle;
    try {
      for (const name of path.split('/').filter(Boolean))
        directory = await directory.getDirectoryHandle(name, { create });
      return directory;
    } catch (error) {
      if (create || !isMissing(error)) throw error;
      return undefined;
    }
  }

  async #readFolder(): Promise<Map<string, File>> {
    const found = new Map<string, File>();
    let bytes = 0;
    const visit = async (directory: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of directory.entries()) {
        if (TOOL_FOLDERS.has(name)) continue;
        const child = joinPath(path, name);
        if (handle.kind === 'directory') await visit(handle as FileSystemDirectoryHandle, child);
        else {
          const file = await (handle as FileSystemFileHandle).getFile();
          bytes += file.size;
          found.set(child, file);
          if (found.size > IMPORT_MAX_ENTRIES) throw new ArchiveError({ type: 'too-many', limit: IMPORT_MAX_ENTRIES });
          if (bytes > IMPORT_MAX_BYTES)
            throw new ArchiveError({ type: 'too-large', limit: IMPORT_MAX_BYTES / 1_000_000 });
        }
      }
    };
    await visit(this.#handle, '/');
    return found;
  }

  async #readWorkspace(): Promise<Map<string, Version>> {
    const { fileSystem } = this.#options;
    const found = new Map<string, Version>();
    for await (const { path } of filesBelow(fileSystem, '/', TOOL_FOLDERS))
      found.set(path, (await fileSystem.stat(path)).version);
    return found;
  }
}

/** The version of what is at a path; undefined only where nothing is, never for a file system that does not answer. */
async function versionAt(fileSystem: FileSystemReader, path: string): Promise<Version | undefined> {
  try {
    return (await fileSystem.stat(path)).version;
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function fileIn(parent: FileSystemDirectoryHandle | undefined, name: string): Promise<File | undefined> {
  try {
    return await (await parent?.getFileHandle(name))?.getFile();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError';

/** What would fail for every other path as well. */
const isFatal = (error: unknown): boolean =>
  (error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'QuotaExceededError')) ||
  (error instanceof FileSystemError && (error.code === 'EIO' || error.code === 'ENOSPC'));

const byDeletion = (differences: readonly Difference[], side: 'there' | 'here'): Difference[] =>
  [...differences].sort((a, b) => Number(a[side] !== undefined) - Number(b[side] !== undefined));

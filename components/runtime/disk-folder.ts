import { ArchiveError } from '#lib/archive/archive-error.ts';
import { contentHash } from '#lib/vfs/content-hash.ts';
import { TOOL_FOLDERS } from '#lib/vfs/files-below.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_ENTRIES } from './import-files.ts';

/** Why a file was not synced. */
export type SkipReason =
  | { type: 'unreadable'; message: string }
  | { type: 'unwritable'; message: string }
  /** Another program changes it at every look. */
  | { type: 'changing' }
  /** One side has a file where the other has a folder with files in it. */
  | { type: 'kind' }
  /** To the disk this name is the same as one that it already has, such as `A` and `a`. */
  | { type: 'name'; existing: string };

/** A path that was left out, and why. */
export interface SkippedFile {
  path: string;
  reason: SkipReason;
}

/** Thrown for one path; the others go on. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(reason.type);
    this.reason = reason;
  }
}

/** Thrown for a path that another program is changing right now: the next look will tell. */
export class ChangingError extends Error {
  override readonly name = 'ChangingError';
}

/** A file of the disk as it was when it was looked at. */
export interface DiskFile {
  readonly handle: FileSystemFileHandle;
  readonly file: File;
}

export interface DiskListing {
  files: ReadonlyMap<string, DiskFile>;
  /** What could not be read; of a folder, nothing below it is in `files`. */
  skipped: readonly SkippedFile[];
  /** What another program was changing while it was looked at. */
  changing: readonly string[];
  /** Whether nothing can be said about a path: it, or a folder above it, could not be read. */
  isHidden(path: string): boolean;
}

/** What became of a write: `file` is there with the data, or the folder was changed by another program meanwhile. */
export type DiskWrite = { type: 'written'; file: DiskFile } | { type: 'changed' } | { type: 'changed-after' };

/** The bytes of a file, and the file as they belong to it. Throws `SkippedError` or `ChangingError`. */
export async function readDiskFile(found: DiskFile): Promise<{ data: Uint8Array; file: DiskFile }> {
  const { handle } = found;
  try {
    return { data: new Uint8Array(await found.file.arrayBuffer()), file: found };
  } catch (error) {
    // A `File` cannot be read any more once it has changed on the disk.
    if (!isNamed(error, 'NotReadableError')) throw skippedBy(error, 'unreadable');
  }
  try {
    const file = await handle.getFile();
    return { data: new Uint8Array(await file.arrayBuffer()), file: { handle, file } };
  } catch (error) {
    throw skippedBy(error, 'unreadable');
  }
}

/** The side of the disk of a local folder. Every write checks first that the file is still what it was taken for. */
export class DiskFolder {
  readonly #root: FileSystemDirectoryHandle;
  /** Names that the disk was seen to have, so that they need not be looked up before each write. */
  #directories = new Set<string>();

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
  }

  /** All files but those of tools. Rejects where the folder itself cannot be read, or holds more than the limits. */
  async list(): Promise<DiskListing> {
    const files = new Map<string, DiskFile>();
    const skipped: SkippedFile[] = [];
    const changing: string[] = [];
    this.#directories = new Set(['/']);
    let bytes = 0;
    const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        const one = skippedBy(error, 'unreadable');
        if (one instanceof SkippedError) skipped.push({ path, reason: one.reason });
        else if (one instanceof ChangingError) changing.push(path);
        else throw one;
      }
    };
    const visit = async (directory: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const [name, handle] of directory.entries()) {
        if (TOOL_FOLDERS.has(name)) continue;
        const child = joinPath(path, name);
        await attempt(child, async () => {
          if (isDirectory(handle)) {
            this.#directories.add(child);
            return visit(handle, child);
          }
          const file = await handle.getFile();
          bytes += file.size;
          files.set(child, { handle, file });
        });
        if (files.size > IMPORT_MAX_ENTRIES) throw new ArchiveError({ type: 'too-many', limit: IMPORT_MAX_ENTRIES });
        if (bytes > IMPORT_MAX_BYTES)
          throw new ArchiveError({ type: 'too-large', limit: IMPORT_MAX_BYTES / 1_000_000 });
      }
    };
    await visit(this.#root, '/');
    const hidden = new Set([...skipped.map(({ path }) => path), ...changing]);
    const isHidden = (path: string): boolean => path !== '/' && (hidden.has(path) || isHidden(dirname(path)));
    // A folder that could be read only in part.
    if (hidden.size > 0) for (const path of files.keys()) if (isHidden(path)) files.delete(path);
    return { files, skipped, changing, isHidden };
  }

  /**
   * Puts data in place of the file whose content has the hash `expected`; undefined where there is none. Writes
   * beside it, and looks again before the last step and after it. Throws `SkippedError`, or what would fail for every
   * other path as well.
   */
  async write(path: string, data: Uint8Array, expected: string | undefined): Promise<DiskWrite> {
    try {
      const parent = await this.#makeDirectory(dirname(path));
      const name = basename(path);
      const present = await this.#fileIn(parent, name);
      if (present === undefined && expected !== undefined) return { type: 'changed' };
      if (present !== undefined && expected === undefined) await checkName(parent, name);
      const handle = present ?? (await parent.getFileHandle(name, { create: true }));
      const isOurs = present === undefined;
      const isExpected = async () => {
        const { data: current } = await contentOf(handle);
        return isOurs ? current.byteLength === 0 : (await contentHash(current)) === expected;
      };
      try {
        if (!(await replaceContent(handle, data, isExpected))) return { type: 'changed' };
      } catch (error) {
        if (isOurs) await removeIfEmpty(parent, handle);
        throw error;
      }
      const after = await contentOf(handle);
      if ((await contentHash(after.data)) !== (await contentHash(data))) return { type: 'changed-after' };
      return { type: 'written', file: after.file };
    } catch (error) {
      throw skippedBy(error, 'unwritable');
    }
  }

  /** Removes the file whose content has the hash `expected`. A file that is not there any more is fine. */
  async remove(path: string, expected: string): Promise<'removed' | 'changed'> {
    try {
      const parent = await this.#directory(dirname(path));
      const name = basename(path);
      const handle = parent && (await fileHandle(parent, name));
      if (handle === undefined) return 'removed';
      if ((await contentHash((await contentOf(handle)).data)) !== expected) return 'changed';
      await parent?.removeEntry(name);
      return 'removed';
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return 'removed';
      throw skippedBy(error, 'unwritable');
    }
  }

  /** The file of a name, if there is one. An empty folder in its place is removed, as the other side has none. */
  async #fileIn(parent: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle | undefined> {
    try {
      return await fileHandle(parent, name);
    } catch (error) {
      if (!isNamed(error, 'TypeMismatchError')) throw error;
    }
    await checkName(parent, name);
    try {
      await parent.removeEntry(name);
    } catch (error) {
      throw isNamed(error, 'InvalidModificationError') ? new SkippedError({ type: 'kind' }) : error;
    }
    return undefined;
  }

  async #directory(path: string): Promise<FileSystemDirectoryHandle | undefined> {
    let directory = this.#root;
    try {
      for (const name of path.split('/').filter(Boolean)) directory = await directory.getDirectoryHandle(name);
      return directory;
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return undefined;
      throw error;
    }
  }

  async #makeDirectory(path: string): Promise<FileSystemDirectoryHandle> {
    let directory = this.#root;
    let reached = '/';
    for (const name of path.split('/').filter(Boolean)) {
      reached = joinPath(reached, name);
      if (this.#directories.has(reached)) directory = await directory.getDirectoryHandle(name);
      else {
        const parent = directory;
        directory = await parent.getDirectoryHandle(name, { create: true });
        await checkName(parent, name);
        this.#directories.add(reached);
      }
    }
    return directory;
  }
}

const contentOf = async (handle: FileSystemFileHandle) => readDiskFile({ handle, file: await handle.getFile() });

/** Writes beside the file and puts that in its place, if the file is still what is expected. */
async function replaceContent(
  handle: FileSystemFileHandle,
  data: Uint8Array,
  isExpected: () => Promise<boolean>,
): Promise<boolean> {
  const writable = await handle.createWritable();
  try {
    await writable.write(data as Uint8Array<ArrayBuffer>);
    if (await isExpected()) {
      await writable.close();
      return true;
    }
  } catch (error) {
    await writable.abort().catch(() => undefined);
    throw error;
  }
  await writable.abort();
  return false;
}

async function fileHandle(parent: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle | undefined> {
  try {
    return await parent.getFileHandle(name);
  } catch (error) {
    if (isNamed(error, 'NotFoundError')) return undefined;
    throw error;
  }
}

/** Throws where a folder has an entry of a name only because its disk takes another spelling for the same. */
async function checkName(parent: FileSystemDirectoryHandle, name: string): Promise<void> {
  let existing: string | undefined;
  for await (const one of parent.keys()) {
    if (one === name) return;
    if (fold(one) === fold(name)) existing = one;
  }
  if (existing !== undefined) throw new SkippedError({ type: 'name', existing });
}

const fold = (name: string): string => name.normalize('NFD').toLowerCase();

async function removeIfEmpty(parent: FileSystemDirectoryHandle, handle: FileSystemFileHandle): Promise<void> {
  try {
    if ((await handle.getFile()).size === 0) await parent.removeEntry(handle.name);
  } catch {
    // What went wrong before is what the person is told.
  }
}

const isDirectory = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory';

const isNamed = (error: unknown, name: string): boolean => error instanceof DOMException && error.name === name;

/** An error as it concerns one path: what another program is doing, what cannot be done, or one that concerns all. */
function skippedBy(error: unknown, type: 'unreadable' | 'unwritable'): unknown {
  if (isNamed(error, 'NotAllowedError') || isNamed(error, 'QuotaExceededError')) return error;
  if (isNamed(error, 'NotFoundError')) return new ChangingError('changed by another program');
  if (isNamed(error, 'TypeMismatchError')) return new SkippedError({ type: 'kind' });
  if (error instanceof DOMException || error instanceof TypeError)
    return new SkippedError({ type, message: error.message });
  return error;
}

import { sha256 } from '#lib/base/sha256.ts';
import { ArchiveError } from '#lib/vfs/archive/archive-error.ts';
import { GENERATED_FOLDERS } from '#lib/vfs/files-below.ts';
import { accessOf, looksLikeRepository } from '#lib/vfs/folder-access.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import { IMPORT_MAX_BYTES, IMPORT_MAX_ENTRIES } from '../import-files.ts';

/** The reason why a file was not synced. */
export type SkipReason =
  | { type: 'unreadable'; message: string }
  | { type: 'unwritable'; message: string }
  /** Another program has been changing it at every scan. */
  | { type: 'changing' }
  /** One side has a file where the other has a folder that contains files. */
  | { type: 'kind' }
  /** The disk treats this name as the same as one it already has, such as `A` and `a`. */
  | { type: 'name'; existing: string }
  /** Git or this program would do what the file says, or the file belongs to one of them. */
  | { type: 'protected' };

/**
 * A file or folder that could not or must not be synced, with the reason to show; of a folder, nothing below it is synced.
 * Generated folders, such as `node_modules`, are not synced either, but without a notice.
 */
export interface SkippedFile {
  path: string;
  reason: SkipReason;
}

/** Thrown for a path that cannot be synced. Other paths still are. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(reason.type);
    this.reason = reason;
  }
}

/** Thrown for a path that another program is changing right now; the next scan tries again. */
export class ChangingError extends Error {
  override readonly name = 'ChangingError';
}

/** A file on disk as it was when it was scanned. */
export interface DiskFile {
  readonly handle: FileSystemFileHandle;
  readonly file: File;
}

export interface DiskListing {
  files: ReadonlyMap<string, DiskFile>;
  /** The paths that were left out. If one is a folder, nothing below it is in `files`. */
  skipped: readonly SkippedFile[];
  /** The paths that another program was changing during the scan. */
  changing: readonly string[];
  /** Every path that was seen, with folders and what was skipped. */
  paths: ReadonlySet<string>;
  /** Checks whether nothing is known about a path, because it or a folder above it could not be read. */
  isHidden(path: string): boolean;
}

/**
 * The result of a write. `changed`: the file was not the expected one, and nothing was written. `changed-after`: the file was
 * written, and another program has changed it since.
 */
type DiskWrite = { type: 'written'; file: DiskFile } | { type: 'changed' } | { type: 'changed-after' };

/**
 * Reads a file, and resolves with its bytes and the `File` that they belong to: a newer one if the file has changed since it
 * was scanned. Rejects with `SkippedError`, `ChangingError`, or an error that affects all paths, such as a lost permission.
 */
export async function readDiskFile(found: DiskFile): Promise<{ data: Uint8Array; file: DiskFile }> {
  const { handle } = found;
  try {
    return { data: new Uint8Array(await found.file.arrayBuffer()), file: found };
  } catch (error) {
    // A `File` can no longer be read once it has changed on disk.
    if (!isNamed(error, 'NotReadableError')) throw skippedBy(error, 'unreadable');
  }
  try {
    const file = await handle.getFile();
    return { data: new Uint8Array(await file.arrayBuffer()), file: { handle, file } };
  } catch (error) {
    throw skippedBy(error, 'unreadable');
  }
}

/**
 * Lists, writes, and removes files in a synced folder on disk. Every change first checks that the file still has the
 * expected content.
 */
export class DiskFolder {
  readonly #root: FileSystemDirectoryHandle;
  /** Folders whose spelling on disk has been verified, so that they need not be checked before every write. */
  #directories = new Set<string>();

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root;
  }

  /**
   * Lists all files, except those in generated folders, such as `node_modules`, and those that tools may not change. Rejects if
   * the folder itself cannot be read or exceeds the limits.
   */
  async list(): Promise<DiskListing> {
    const files = new Map<string, DiskFile>();
    const skipped: SkippedFile[] = [];
    const changing: string[] = [];
    const paths = new Set<string>();
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
      const entries = await Array.fromAsync(directory.entries());
      if (looksLikeRepository(entries.map(([name]) => name))) throw new SkippedError({ type: 'protected' });
      for (const [name, handle] of entries) {
        if (GENERATED_FOLDERS.has(name) && isDirectory(handle)) continue;
        const child = joinPath(path, name);
        const access = accessOf(child);
        // The contents of the program's own folder are left out, except for those that tools can change.
        if (access === 'hidden' || (access === 'unlisted' && !isDirectory(handle))) continue;
        paths.add(child);
        await attempt(child, async () => {
          if (access === 'read-only') throw new SkippedError({ type: 'protected' });
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
    try {
      await visit(this.#root, '/');
    } catch (error) {
      if (!(error instanceof SkippedError)) throw error;
      skipped.push({ path: '/', reason: error.reason });
    }
    const hidden = new Set([...skipped.map(({ path }) => path), ...changing]);
    const isHidden = (path: string): boolean => hidden.has(path) || (path !== '/' && isHidden(dirname(path)));
    // Drop the files of folders that could only be read in part.
    if (hidden.size > 0) for (const path of files.keys()) if (isHidden(path)) files.delete(path);
    return { files, skipped, changing, paths, isHidden };
  }

  /**
   * Replaces the content of the file whose current content has the hash `expected`; undefined means that there is no file yet.
   * Writes to a temporary copy, and checks the file before and after swapping it in: `changed` means that it was not the
   * expected one, and stays; `changed-after`, that another program has changed it since. Throws `SkippedError`,
   * `ChangingError`, or an error that would affect every other path as well.
   */
  async write(path: string, data: Uint8Array, expected: string | undefined): Promise<DiskWrite> {
    try {
      refuseProtected(path);
      const parent = await this.#makeDirectory(dirname(path));
      const name = basename(path);
      const present = await this.#fileIn(parent, name);
      if (present === undefined && expected !== undefined) return { type: 'changed' };
      if (present !== undefined && expected === undefined) await checkName(parent, name);
      const handle = present ?? (await parent.getFileHandle(name, { create: true }));
      const isOurs = present === undefined;
      const isExpected = async () => {
        const { data: current } = await contentOf(handle);
        return isOurs ? current.byteLength === 0 : (await sha256(current)) === expected;
      };
      try {
        if (!(await replaceContent(handle, data, isExpected))) return { type: 'changed' };
      } catch (error) {
        if (isOurs) await removeIfEmpty(parent, handle);
        throw error;
      }
      const after = await contentOf(handle);
      if ((await sha256(after.data)) !== (await sha256(data))) return { type: 'changed-after' };
      return { type: 'written', file: after.file };
    } catch (error) {
      throw skippedBy(error, 'unwritable');
    }
  }

  /**
   * Removes the file whose content has the hash `expected`; one with another content stays, and the result is `changed`. A file
   * that is already gone is fine. Throws like `write`.
   */
  async remove(path: string, expected: string): Promise<'removed' | 'changed'> {
    try {
      refuseProtected(path);
      const parent = await this.#directory(dirname(path));
      const name = basename(path);
      const handle = parent && (await fileHandle(parent, name));
      if (handle === undefined) return 'removed';
      if ((await sha256((await contentOf(handle)).data)) !== expected) return 'changed';
      await parent?.removeEntry(name);
      return 'removed';
    } catch (error) {
      if (isNamed(error, 'NotFoundError')) return 'removed';
      throw skippedBy(error, 'unwritable');
    }
  }

  /**
   * The file with this name, if there is one. Removes an empty folder in its place, as the other side has none. Throws
   * `SkippedError` for a folder that is not empty.
   */
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

function refuseProtected(path: string): void {
  if (accessOf(path) !== 'open') throw new SkippedError({ type: 'protected' });
}

const contentOf = async (handle: FileSystemFileHandle) => readDiskFile({ handle, file: await handle.getFile() });

/** Writes to a temporary copy, and swaps it in if the file still has the expected content. Resolves with whether it had. */
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
    // The original error says more.
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

/** Throws if the folder has this entry only because the disk treats a different spelling as the same name. */
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
    // The caller reports the original error.
  }
}

const isDirectory = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle => handle.kind === 'directory';

const isNamed = (error: unknown, name: string): boolean => error instanceof DOMException && error.name === name;

/** Turns an error into one that concerns a single path, or returns it as it is if it affects all paths. */
function skippedBy(error: unknown, type: 'unreadable' | 'unwritable'): unknown {
  if (isNamed(error, 'NotAllowedError') || isNamed(error, 'QuotaExceededError')) return error;
  if (isNamed(error, 'NotFoundError')) return new ChangingError('changed by another program');
  if (isNamed(error, 'TypeMismatchError')) return new SkippedError({ type: 'kind' });
  if (error instanceof DOMException || error instanceof TypeError)
    return new SkippedError({ type, message: error.message });
  return error;
}

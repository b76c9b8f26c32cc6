import { FileSystemError } from './errors.ts';
import type { DirectoryEntry, FileSystem, FileSystemReader, FileSystemTransaction } from './file-system.ts';
import { dirname, joinPath } from './paths.ts';

/** A kind of access to a path. */
export type FileEffect = 'read' | 'write';

/** Decides which paths may be read and written. Paths are real: absolute, normalized, and without symlinks on the way. */
export interface PathGuard {
  /**
   * Returns the reason why an access is refused, as a part of a sentence; undefined if it is allowed. A guard that refuses a
   * path must refuse every path below it, too.
   */
  refusal(path: string, effect: FileEffect): string | undefined;
}

/**
 * Returns a file system that rejects with EACCES what a guard refuses, by whichever path it is reached: symlinks are
 * resolved first. A guard protects the content of a file or folder, not its name: the listing of the folder above it has its
 * name, marked with `isProtected`. Folders that contain something protected cannot be moved, copied or deleted as a whole.
 */
export function guardedFiles(files: FileSystem, guard: PathGuard): FileSystem {
  return {
    ...guardedReader(files, guard),
    refresh: () => files.refresh(),
    watch: (listener) => files.watch(listener),
    transaction: (author, change, options) =>
      files.transaction(author, (tx) => change(guardedTransaction(tx, guard)), options),
  };
}

/**
 * Throws EACCES if the guard refuses an effect at a real path. `asked`: the path that the caller gave, which the error names.
 */
function check(guard: PathGuard, real: string, effect: FileEffect, asked = real): void {
  const detail = guard.refusal(real, effect);
  if (detail !== undefined) throw new FileSystemError('EACCES', asked, { detail });
}

function guardedReader(files: FileSystemReader, guard: PathGuard): FileSystemReader {
  const mayRead = (path: string) => check(guard, files.realPath(path), 'read', path);
  const mayLook = (path: string, followLast: boolean) =>
    check(guard, dirname(files.realPath(path, { followLast })), 'read', path);
  return {
    async readFile(path, options) {
      mayRead(path);
      const data = await files.readFile(path, options);
      // The path may lead elsewhere by now.
      mayRead(path);
      return data;
    },
    async readFiles(paths, options) {
      for (const path of paths) mayRead(path);
      const contents = await files.readFiles(paths, options);
      for (const path of paths) mayRead(path);
      return contents;
    },
    async readdir(path) {
      const real = files.realPath(path);
      check(guard, real, 'read', path);
      const entries = await files.readdir(path);
      return entries.map((entry) => marked(files, guard, real, entry));
    },
    async stat(path) {
      mayLook(path, true);
      return files.stat(path);
    },
    async lstat(path) {
      mayLook(path, false);
      return files.lstat(path);
    },
    async readlink(path) {
      check(guard, files.realPath(path, { followLast: false }), 'read', path);
      return files.readlink(path);
    },
    realPath: (...given) => files.realPath(...given),
    *pathsBelow(path) {
      for (const below of files.pathsBelow(path)) if (guard.refusal(dirname(below), 'read') === undefined) yield below;
    },
  };
}

/** Marks an entry with `isProtected` if it, or the target of the symlink, may not be read. */
function marked(files: FileSystemReader, guard: PathGuard, directory: string, entry: DirectoryEntry): DirectoryEntry {
  const path = joinPath(directory, entry.name);
  const isProtected = [path, ...(entry.type === 'symlink' ? targetOf(files, path) : [])].some(
    (place) => guard.refusal(place, 'read') !== undefined,
  );
  return isProtected ? { ...entry, isProtected } : entry;
}

/** The path to which a symlink leads, in a list; an empty list if the symlink is part of a loop, or if a file is on the way. */
function targetOf(files: FileSystemReader, path: string): string[] {
  try {
    return [files.realPath(path)];
  } catch {
    return [];
  }
}

function guardedTransaction(tx: FileSystemTransaction, guard: PathGuard): FileSystemTransaction {
  const mayWrite = (path: string, followLast: boolean) =>
    check(guard, tx.realPath(path, { followLast }), 'write', path);
  /**
   * Throws EACCES unless the guard allows `effects` on an entry and everything below it, and writing all of that at the new
   * path.
   */
  const mayTransfer = (from: string, to: string, effects: readonly FileEffect[]) => {
    const [source, target] = [from, to].map((path) => tx.realPath(path, { followLast: false })) as [string, string];
    for (const path of [source, ...tx.pathsBelow(source)]) {
      for (const effect of effects) check(guard, path, effect);
      check(guard, target + path.slice(source.length), 'write');
    }
  };
  return {
    ...guardedReader(tx, guard),
    writeFile(path, data, options) {
      mayWrite(path, true);
      tx.writeFile(path, data, options);
    },
    mkdir(path) {
      mayWrite(path, true);
      tx.mkdir(path);
    },
    symlink(target, path) {
      mayWrite(path, false);
      tx.symlink(target, path);
    },
    rename(from, to) {
      mayTransfer(from, to, ['read', 'write']);
      tx.rename(from, to);
    },
    copy(from, to) {
      mayTransfer(from, to, ['read']);
      tx.copy(from, to);
    },
    rm(path, options) {
      const real = tx.realPath(path, { followLast: false });
      for (const below of [real, ...tx.pathsBelow(real)]) check(guard, below, 'write');
      tx.rm(path, options);
    },
    setAttributes(path, attributes) {
      mayWrite(path, true);
      tx.setAttributes(path, attributes);
    },
  };
}

import { formatOfName } from '#lib/tools/documents/document-type.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, FileSystemTransaction, ReadFileOptions } from '#lib/vfs/file-system.ts';
import { listedEntries } from './listed-files.ts';

/**
 * Returns a file system as tools see it. It rejects the reading and writing of files of more than `maxBytes` with EFBIG; only
 * `readFile` outside of transactions also reads larger documents, such as PDFs, up to the limit in its options. `readdir`
 * outside of transactions leaves out `.git` and what `.gitignore` files exclude.
 */
export function limitedFiles(files: FileSystem, maxBytes: number): FileSystem {
  const limited = (options: ReadFileOptions = {}): ReadFileOptions => ({
    ...options,
    maxBytes: Math.min(options.maxBytes ?? maxBytes, maxBytes),
  });
  // Of a document, tools get a part of its text.
  const readFile: FileSystem['readFile'] = (path, options) =>
    files.readFile(path, formatOfName(path) === undefined ? limited(options) : options);
  return {
    readFile,
    readFiles: (paths, options) => files.readFiles(paths, limited(options)),
    readdir: (path) => listedEntries(files, path),
    stat: (path) => files.stat(path),
    lstat: (path) => files.lstat(path),
    readlink: (path) => files.readlink(path),
    realPath: (...given) => files.realPath(...given),
    pathsBelow: (path) => files.pathsBelow(path),
    refresh: () => files.refresh(),
    watch: (listener) => files.watch(listener),
    transaction: (author, change, options) =>
      files.transaction(author, (tx) => change(limitedTransaction(tx, maxBytes, limited)), options),
  };
}

function limitedTransaction(
  tx: FileSystemTransaction,
  maxBytes: number,
  limited: (options?: ReadFileOptions) => ReadFileOptions,
): FileSystemTransaction {
  return {
    readFile: (path, options) => tx.readFile(path, limited(options)),
    readFiles: (paths, options) => tx.readFiles(paths, limited(options)),
    readdir: (path) => tx.readdir(path),
    stat: (path) => tx.stat(path),
    lstat: (path) => tx.lstat(path),
    readlink: (path) => tx.readlink(path),
    realPath: (...given) => tx.realPath(...given),
    pathsBelow: (path) => tx.pathsBelow(path),
    writeFile(path, data, options) {
      if (data.byteLength > maxBytes)
        throw new FileSystemError('EFBIG', path, {
          detail: `has ${data.byteLength} bytes; at most ${maxBytes} can be written at once`,
        });
      tx.writeFile(path, data, options);
    },
    mkdir: (path) => tx.mkdir(path),
    symlink: (target, path) => tx.symlink(target, path),
    rename: (from, to) => tx.rename(from, to),
    copy: (from, to) => tx.copy(from, to),
    rm: (path, options) => tx.rm(path, options),
    setAttributes: (path, attributes) => tx.setAttributes(path, attributes),
  };
}

import { FileSystemError } from './errors.ts';
import { exists } from './exists.ts';
import type { Author, FileSystem, FileSystemTransaction, Stat } from './file-system.ts';
import { dirname, resolvePath } from './paths.ts';

type Encoding = 'utf8' | 'utf-8';
type EncodingOption = Encoding | { encoding?: Encoding | null } | null;

const TYPE_BITS = { file: 0o100000, directory: 0o040000, symlink: 0o120000 } as const;

/** The parts of Node's `Stats` that libraries read, and the entry's type. */
export interface NodeStats {
  type: 'file' | 'dir' | 'symlink';
  mode: number;
  size: number;
  /** The entry's version, which changes with every write, like the inode number of a file that is replaced on disk. */
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  mtime: Date;
  ctime: Date;
  uid: number;
  gid: number;
  dev: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * A workspace with the interface of Node's `fs.promises`, for clients written for it. Every call is a separate
 * transaction with the same author. Rejects with `FileSystemError`, whose `code` such clients check.
 */
export class FileSystemPromises {
  readonly #fileSystem: FileSystem;
  readonly #author: Author;

  constructor(fileSystem: FileSystem, author: Author) {
    this.#fileSystem = fileSystem;
    this.#author = author;
    // Clients detach the methods from the object.
    for (const name of Object.getOwnPropertyNames(FileSystemPromises.prototype)) {
      const method: unknown = Reflect.get(this, name);
      if (typeof method === 'function' && name !== 'constructor') Reflect.set(this, name, method.bind(this));
    }
  }

  readFile(path: string, options: Encoding | { encoding: Encoding }): Promise<string>;
  readFile(path: string, options?: EncodingOption): Promise<Uint8Array | string>;
  async readFile(path: string, options?: EncodingOption): Promise<Uint8Array | string> {
    const data = await this.#fileSystem.readFile(path);
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding === undefined || encoding === null ? data.slice() : decoder.decode(data);
  }

  async writeFile(path: string, data: Uint8Array | string, options?: { mode?: number } | Encoding): Promise<void> {
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    const mode = typeof options === 'object' ? options.mode : undefined;
    await this.#change(async (tx) => {
      await requireDirectory(tx, dirname(resolvePath(path)));
      tx.writeFile(path, bytes, mode === undefined ? {} : { mode: mode & 0o7777 });
    });
  }

  async appendFile(path: string, data: Uint8Array | string): Promise<void> {
    const bytes = typeof data === 'string' ? encoder.encode(data) : data;
    await this.#change(async (tx) => {
      await requireDirectory(tx, dirname(resolvePath(path)));
      const before = (await exists(tx, path)) ? await tx.readFile(path) : new Uint8Array();
      const after = new Uint8Array(before.byteLength + bytes.byteLength);
      after.set(before);
      after.set(bytes, before.byteLength);
      tx.writeFile(path, after);
    });
  }

  async unlink(path: string): Promise<void> {
    await this.#change(async (tx) => {
      if ((await tx.lstat(path)).type === 'directory') throw new FileSystemError('EISDIR', path);
      tx.rm(path);
    });
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.#fileSystem.readdir(path)).map(({ name }) => name);
  }

  async mkdir(path: string, options?: { recursive?: boolean } | number): Promise<void> {
    await this.#change(async (tx) => {
      if (typeof options !== 'object' || options.recursive !== true) {
        await requireDirectory(tx, dirname(resolvePath(path)));
        if (await exists(tx, path)) throw new FileSystemError('EEXIST', path);
      }
      tx.mkdir(path);
    });
  }

  async rmdir(path: string): Promise<void> {
    await this.#change(async (tx) => {
      if ((await tx.lstat(path)).type !== 'directory') throw new FileSystemError('ENOTDIR', path);
      tx.rm(path);
    });
  }

  async rm(path: string, { recursive = false, force = false }: { recursive?: boolean; force?: boolean } = {}) {
    await this.#change(async (tx) => {
      if (force && !(await exists(tx, path))) return;
      if (!recursive && (await tx.lstat(path)).type === 'directory') throw new FileSystemError('EISDIR', path);
      tx.rm(path, { recursive });
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#change(async (tx) => {
      await requireDirectory(tx, dirname(resolvePath(to)));
      tx.rename(from, to);
    });
  }

  async stat(path: string): Promise<NodeStats> {
    return toNodeStats(await this.#fileSystem.stat(path));
  }

  async lstat(path: string): Promise<NodeStats> {
    return toNodeStats(await this.#fileSystem.lstat(path));
  }

  readlink(path: string): Promise<string> {
    return this.#fileSystem.readlink(path);
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.#change(async (tx) => {
      await requireDirectory(tx, dirname(resolvePath(path)));
      tx.symlink(target, path);
    });
  }

  async chmod(path: string, mode: number): Promise<void> {
    await this.#change(async (tx) => tx.setAttributes(path, { mode }));
  }

  async utimes(path: string, _atime: Date | number, mtime: Date | number): Promise<void> {
    const mtimeMs = mtime instanceof Date ? mtime.getTime() : mtime * 1000;
    await this.#change(async (tx) => tx.setAttributes(path, { mtimeMs }));
  }

  #change(change: (tx: FileSystemTransaction) => Promise<void>): Promise<void> {
    return this.#fileSystem.transaction(this.#author, change);
  }
}

/** Throws unless a directory exists: as on a real disk, missing parent directories are not created. */
async function requireDirectory(tx: FileSystemTransaction, path: string): Promise<void> {
  if ((await tx.stat(path)).type !== 'directory') throw new FileSystemError('ENOTDIR', path);
}

function toNodeStats({ type, size, mode, mtimeMs, version }: Stat): NodeStats {
  const mtime = new Date(mtimeMs);
  return {
    type: type === 'directory' ? 'dir' : type,
    mode: TYPE_BITS[type] | mode,
    size,
    ino: version,
    mtimeMs,
    ctimeMs: mtimeMs,
    mtime,
    ctime: mtime,
    uid: 1,
    gid: 1,
    dev: 1,
    isFile: () => type === 'file',
    isDirectory: () => type === 'directory',
    isSymbolicLink: () => type === 'symlink',
  };
}

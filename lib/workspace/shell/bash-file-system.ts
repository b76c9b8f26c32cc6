import { type IFileSystem, InMemoryFs } from 'just-bash';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { Author, FileSystem } from '#lib/vfs/file-system.ts';
import { joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { FileSystemPromises, type NodeStats } from '#lib/vfs/promises.ts';

type Content = string | Uint8Array;
type EncodingOption = string | { encoding?: string | null } | undefined;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The phrases that commands look for in error messages, as worded by Node. */
const PHRASES: Partial<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  EEXIST: 'file already exists',
  ENOTEMPTY: 'directory not empty',
  EACCES: 'permission denied',
  ELOOP: 'too many levels of symbolic links',
};

/** Directories that scripts expect. They last for one command, unless the workspace itself has such a folder. */
const SYSTEM_DIRECTORIES = ['bin', 'dev', 'proc', 'tmp', 'usr'];

/** Callbacks for refused operations that a command would not explain by itself. */
interface Refusals {
  /** The command tries to delete the whole workspace at once. */
  onWhole(): void;
  /** The command may not access the path, because rules of the user protect it. */
  onProtected(error: FileSystemError): void;
}

/**
 * Creates the file system that just-bash, a bash in JavaScript, works on: the workspace, and `/dev`, `/tmp` and the like, which
 * last for one command. Every change to the workspace is a commit by `author`. `refusals`: callbacks for a command that tries
 * to delete the whole workspace, and for a path that rules of the user protect.
 */
export async function createBashFileSystem(
  fileSystem: FileSystem,
  author: Author,
  refusals: Refusals,
): Promise<IFileSystem> {
  const workspace = createWorkspaceFileSystem(fileSystem, author, refusals);
  const own = new Set((await fileSystem.readdir('/')).map(({ name }) => name));
  const virtual = new Set(SYSTEM_DIRECTORIES.filter((name) => !own.has(name)));
  const system = new InMemoryFs();
  for (const name of virtual) await system.mkdir(`/${name}`, { recursive: true });
  if (virtual.has('dev')) await system.writeFile('/dev/null', '');
  const at = (path: string): IFileSystem => (virtual.has(path.split('/')[1] ?? '') ? system : workspace);
  const discards = (path: string): boolean => path === '/dev/null' && at(path) === system;
  const copy = async (from: string, to: string): Promise<void> =>
    at(to).writeFile(to, await at(from).readFileBuffer(from));
  return {
    readFile: (path, options) => at(path).readFile(path, options),
    readFileBuffer: (path) => at(path).readFileBuffer(path),
    writeFile: async (path, content, options) =>
      discards(path) ? undefined : at(path).writeFile(path, content, options),
    appendFile: async (path, content, options) =>
      discards(path) ? undefined : at(path).appendFile(path, content, options),
    exists: (path) => at(path).exists(path),
    stat: (path) => at(path).stat(path),
    lstat: (path) => at(path).lstat(path),
    mkdir: (path, options) => at(path).mkdir(path, options),
    readdir: (path) => at(path).readdir(path),
    readdirWithFileTypes: async (path) => {
      const found = at(path);
      if (found.readdirWithFileTypes !== undefined) return found.readdirWithFileTypes(path);
      throw new Error(`ENOTDIR: not a directory, scandir '${path}'`);
    },
    rm: (path, options) => at(path).rm(path, options),
    cp: (from, to, options) => (at(from) === at(to) ? at(from).cp(from, to, options) : copy(from, to)),
    async mv(from, to) {
      if (at(from) === at(to)) return at(from).mv(from, to);
      await copy(from, to);
      await at(from).rm(from);
    },
    resolvePath: (base, path) => workspace.resolvePath(base, path),
    getAllPaths: () => [],
    chmod: (path, mode) => at(path).chmod(path, mode),
    symlink: (target, path) => at(path).symlink(target, path),
    link: (from, to) => copy(from, to),
    readlink: (path) => at(path).readlink(path),
    realpath: (path) => at(path).realpath(path),
    utimes: (path, atime, mtime) => at(path).utimes(path, atime, mtime),
  };
}

function createWorkspaceFileSystem(fileSystem: FileSystem, author: Author, refusals: Refusals): IFileSystem {
  const promises = new FileSystemPromises(fileSystem, author);
  const as = <T>(call: string, path: string, operation: () => Promise<T>): Promise<T> =>
    operation().catch((error: unknown) => {
      if (error instanceof FileSystemError && error.code === 'EACCES') refusals.onProtected(error);
      throw worded(error, call, path);
    });
  return {
    async readFile(path, options) {
      const data = await as('open', path, () => fileSystem.readFile(path, { isBrief: true }));
      return isBinary(options) ? toBinaryString(data) : decoder.decode(data);
    },
    readFileBuffer: (path) =>
      as('open', path, async () => (await fileSystem.readFile(path, { isBrief: true })).slice()),
    writeFile: (path, content, options) =>
      as('open', path, () =>
        fileSystem.transaction(author, async (tx) => tx.writeFile(path, toBytes(content, options))),
      ),
    appendFile: (path, content, options) =>
      as('open', path, () => promises.appendFile(path, toBytes(content, options))),
    async exists(path) {
      try {
        await fileSystem.stat(path);
        return true;
      } catch {
        // As in any shell, something that cannot be reached counts as missing.
        return false;
      }
    },
    stat: (path) => as('stat', path, async () => toStat(await promises.stat(path))),
    lstat: (path) => as('lstat', path, async () => toStat(await promises.lstat(path))),
    mkdir: (path, options) => as('mkdir', path, () => promises.mkdir(path, options)),
    readdir: (path) => as('scandir', path, () => promises.readdir(path)),
    readdirWithFileTypes: (path) =>
      as('scandir', path, async () =>
        (await fileSystem.readdir(path)).map(({ name, type }) => ({
          name,
          isFile: type === 'file',
          isDirectory: type === 'directory',
          isSymbolicLink: type === 'symlink',
        })),
      ),
    rm: (path, { recursive = false, force = false } = {}) =>
      as('rm', path, () =>
        fileSystem.transaction(author, async (tx) => {
          if (resolvePath(path) === '/') refusals.onWhole();
          try {
            tx.rm(path, { recursive });
          } catch (error) {
            if (!(force && error instanceof FileSystemError && error.code === 'ENOENT')) throw error;
          }
        }),
      ),
    cp: (from, to, { recursive = false } = {}) =>
      as('cp', from, () =>
        fileSystem.transaction(author, async (tx) => {
          const { type } = await tx.stat(from);
          if (type !== 'directory')
            return tx.writeFile(to, await tx.readFile(from), { mode: (await tx.stat(from)).mode });
          if (!recursive) throw new FileSystemError('EISDIR', from);
          tx.copy(from, to);
        }),
      ),
    mv: (from, to) => as('rename', from, () => fileSystem.transaction(author, async (tx) => tx.rename(from, to))),
    resolvePath: (base, path) => clamp(path.startsWith('/') ? path : joinPath(base, path)),
    // Only used for globs over file systems without directories.
    getAllPaths: () => [],
    chmod: (path, mode) => as('chmod', path, () => promises.chmod(path, mode)),
    symlink: (target, path) => as('symlink', path, () => promises.symlink(target, path)),
    link: (from, to) =>
      as('link', from, () =>
        // There are no hard links; scripts get a copy instead.
        fileSystem.transaction(author, async (tx) => tx.writeFile(to, await tx.readFile(from))),
      ),
    readlink: (path) => as('readlink', path, () => promises.readlink(path)),
    realpath: (path) =>
      as('realpath', path, async () => {
        await fileSystem.stat(path);
        return resolvePath(path);
      }),
    utimes: (path, atime, mtime) => as('utimes', path, () => promises.utimes(path, atime, mtime)),
  };
}

/** Returns an error of the file system with the message that commands look for; any other error unchanged. */
function worded(error: unknown, call: string, path: string): unknown {
  const phrase = error instanceof FileSystemError ? PHRASES[error.code] : undefined;
  if (!(error instanceof FileSystemError) || phrase === undefined) return error;
  return Object.assign(new Error(`${error.code}: ${phrase}, ${call} '${path}'`), { code: error.code });
}

/** Normalizes an absolute path. As in a shell, `..` at the root stays at the root. */
function clamp(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function isBinary(options: EncodingOption): boolean {
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding === 'binary' || encoding === 'latin1';
}

/** Returns a text with one character per byte, as in pipes. */
function toBinaryString(data: Uint8Array): string {
  const CHUNK = 8192;
  let text = '';
  for (let at = 0; at < data.length; at += CHUNK) text += String.fromCharCode(...data.subarray(at, at + CHUNK));
  return text;
}

function toBytes(content: Content, options: EncodingOption): Uint8Array {
  if (typeof content !== 'string') return content;
  return isBinary(options) ? Uint8Array.from(content, (character) => character.charCodeAt(0)) : encoder.encode(content);
}

const toStat = (stats: NodeStats) => ({
  isFile: stats.isFile(),
  isDirectory: stats.isDirectory(),
  isSymbolicLink: stats.isSymbolicLink(),
  mode: stats.mode & 0o7777,
  size: stats.size,
  mtime: stats.mtime,
});

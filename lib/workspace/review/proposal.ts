import { sha256 } from '#lib/base/sha256.ts';
import type { ToolCapabilities } from '#lib/tools/capabilities/capabilities.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { KnownFiles } from '#lib/tools/execution/known-files.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, FileSystemReader, FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';

/**
 * The maximum number of files in a proposal (the changes that a call would make) with their contents before and after. The
 * rest are only named, as `uncompared`.
 */
export const PROPOSED_FILES_MAX = 200;
/**
 * The size of the largest file that a proposal has with its content, in bytes. Larger ones are only named, as `uncompared`.
 */
export const PROPOSED_FILE_MAX_BYTES = 5_000_000;

/** A file that a call would change, named without its contents, because there are too many files or it is too large. */
export interface UncomparedFile {
  path: string;
  change: 'created' | 'changed' | 'deleted';
}

/** The files that a call would change. Both lists are sorted by path. */
interface ProposedFiles {
  files: readonly ProposedFile[];
  uncompared: readonly UncomparedFile[];
}

/** A file that a call would change: its bytes before and after, or null where there is no file. */
export interface ProposedFile {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
}

export interface ProposalOptions {
  files: FileSystem;
  /** All files, including those that are hidden from tools; `files` if absent. */
  all?: FileSystemReader | undefined;
  /** The versions of files that the model has seen. */
  known: KnownFiles;
  signal: AbortSignal;
}

/**
 * Returns the kind of change that a call would make to a file: `created` if there is no file before (null), `deleted` if there
 * is none after, or else `changed`.
 */
export const changeKind = ({ before, after }: Pick<ProposedFile, 'before' | 'after'>): UncomparedFile['change'] =>
  before === null ? 'created' : after === null ? 'deleted' : 'changed';

/**
 * Checks whether two lists of proposed files are the same: the same paths in the same order, with the same bytes before and
 * after.
 */
export const isSameChange = (one: readonly ProposedFile[], other: readonly ProposedFile[]): boolean =>
  one.length === other.length &&
  one.every((file, index) => {
    const wanted = other[index];
    return wanted?.path === file.path && isSame(wanted.before, file.before) && isSame(wanted.after, file.after);
  });

/** Thrown to end a transaction without its changes. */
class Discarded extends Error {
  override readonly name = 'Discarded';
}

/**
 * Finds the files that a call would change if it ran now: runs the tool in a transaction that is given up, so that nothing
 * is changed. Only for tools that need nothing but files. `input`: the parsed arguments. Rejects with the error with which
 * the call would fail.
 */
export async function proposedFiles(
  tool: Pick<Tool, 'execute'>,
  input: unknown,
  { files, all = files, known, signal }: ProposalOptions,
): Promise<ProposedFiles> {
  await files.refresh();
  let proposed: ProposedFiles = { files: [], uncompared: [] };
  const trying: FileSystem = {
    ...readerOf(files),
    refresh: () => files.refresh(),
    watch: (listener) => files.watch(listener),
    async transaction(author, change) {
      let result: Awaited<ReturnType<typeof change>> | undefined;
      try {
        await files.transaction(author, async (tx) => {
          const touched = new Set<string>();
          result = await change(recording(tx, touched));
          proposed = await compare(touched, all, tx);
          throw new Discarded();
        });
      } catch (error) {
        if (!(error instanceof Discarded)) throw error;
      }
      return result as Awaited<ReturnType<typeof change>>;
    },
  };
  await tool.execute(input, {
    // The tool needs nothing else.
    ...({ files: trying } as unknown as ToolCapabilities),
    toolCallId: 'proposal',
    author: { type: 'person' },
    abortSignal: signal,
    known,
    earlierResults: () => [],
    hasRunBefore: () => true,
    report: () => undefined,
    offered: () => [],
    callTool: () => Promise.reject(new Error('A proposal calls no tools.')),
  });
  return proposed;
}

const readerOf = (files: FileSystemReader): FileSystemReader => ({
  readFile: (...given) => files.readFile(...given),
  readFiles: (...given) => files.readFiles(...given),
  readdir: (path) => files.readdir(path),
  stat: (path) => files.stat(path),
  lstat: (path) => files.lstat(path),
  readlink: (path) => files.readlink(path),
  realPath: (...given) => files.realPath(...given),
  pathsBelow: (path) => files.pathsBelow(path),
});

/** Wraps a transaction so that the paths of the files and symlinks that it changes are added to `touched`. */
function recording(tx: FileSystemTransaction, touched: Set<string>): FileSystemTransaction {
  return {
    ...readerOf(tx),
    writeFile(path, ...given) {
      touched.add(path);
      tx.writeFile(path, ...given);
    },
    mkdir: (path) => tx.mkdir(path),
    symlink(target, path) {
      touched.add(path);
      tx.symlink(target, path);
    },
    rename(from, to) {
      touched.add(from).add(to);
      tx.rename(from, to);
    },
    copy(from, to) {
      touched.add(to);
      tx.copy(from, to);
    },
    rm(path, ...given) {
      touched.add(path);
      tx.rm(path, ...given);
    },
    setAttributes: (path, attributes) => tx.setAttributes(path, attributes),
  };
}

async function compare(
  touched: ReadonlySet<string>,
  before: FileSystemReader,
  after: FileSystemReader,
): Promise<ProposedFiles> {
  const paths = new Set<string>();
  for (const path of touched)
    for (const side of [before, after]) for await (const file of filesAt(side, path)) paths.add(file);
  const files: ProposedFile[] = [];
  const uncompared: UncomparedFile[] = [];
  for (const path of [...paths].sort()) {
    const [old, now] = [await sizeAt(before, path), await sizeAt(after, path)];
    if (old === undefined && now === undefined) continue;
    const change = old === undefined ? 'created' : now === undefined ? 'deleted' : 'changed';
    const isLarge = Math.max(old ?? 0, now ?? 0) > PROPOSED_FILE_MAX_BYTES;
    const isFull = files.length >= PROPOSED_FILES_MAX;
    if (isLarge || (isFull && (change !== 'changed' || old !== now))) uncompared.push({ path, change });
    else {
      const [was, is] = [await bytesAt(before, path), await bytesAt(after, path)];
      if (was === undefined || is === undefined) uncompared.push({ path, change });
      else if (isSame(was, is)) continue;
      else if (isFull) uncompared.push({ path, change });
      else files.push({ path, before: was, after: is });
    }
  }
  return { files, uncompared };
}

/** The size of a file in bytes; undefined where there is none. */
async function sizeAt(files: FileSystemReader, path: string): Promise<number | undefined> {
  try {
    const { type, size } = await files.stat(path);
    return type === 'file' ? size : undefined;
  } catch (error) {
    if (error instanceof FileSystemError && MISSING.includes(error.code)) return undefined;
    throw error;
  }
}

async function* filesAt(files: FileSystemReader, path: string): AsyncIterable<string> {
  const type = await files.stat(path).then(
    (stat) => stat.type,
    () => undefined,
  );
  if (type === 'file') yield path;
  if (type === 'directory') for await (const file of filesBelow(files, path)) yield file.path;
}

/** The bytes of a file; null where there is none, undefined if it is larger than `PROPOSED_FILE_MAX_BYTES`. */
async function bytesAt(files: FileSystemReader, path: string): Promise<Uint8Array | null | undefined> {
  try {
    return await files.readFile(path, { maxBytes: PROPOSED_FILE_MAX_BYTES });
  } catch (error) {
    if (error instanceof FileSystemError && MISSING.includes(error.code)) return null;
    if (error instanceof FileSystemError && error.code === 'EFBIG') return undefined;
    throw error;
  }
}

const MISSING: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index]);
}

/** Returns the SHA-256 of the bytes of a file; null if there is no file. */
export const contentHash = async (bytes: Uint8Array | null): Promise<string | null> =>
  bytes === null ? null : sha256(bytes);

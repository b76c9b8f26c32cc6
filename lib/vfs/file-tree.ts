import { FileSystemError } from './errors.ts';
import type {
  Author,
  DirectoryEntry,
  EntryType,
  FileChange,
  FileSystem,
  FileSystemTransaction,
  ReadFileOptions,
  Stat,
  Version,
} from './file-system.ts';
import { basename, dirname, isWithin, joinPath, resolvePath } from './paths.ts';

/** One entry of the tree. `contentId` names a file's immutable bytes in the engine's store; `target` is a symlink's text. */
export interface TreeEntry extends Stat {
  contentId?: string;
  target?: string;
}

/** What a commit does to each path: the entry's new state, or null where it is gone. */
export type TreeChanges = ReadonlyMap<string, TreeEntry | null>;

/** New bytes by content id. */
export type NewContents = ReadonlyMap<string, Uint8Array>;

const MAX_SYMLINKS = 40;
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

const encoder = new TextEncoder();

const ROOT: TreeEntry = { type: 'directory', size: 0, mtimeMs: 0, mode: DIRECTORY_MODE, version: 0 };

interface EntryLookup {
  get(path: string): TreeEntry | undefined;
  childNames(path: string): Iterable<string>;
}

/** The committed entries by absolute path. Holds metadata only; an engine holds the bytes. */
export class FileTree implements EntryLookup {
  #entries = new Map<string, TreeEntry>([['/', ROOT]]);
  #children = new Map<string, Set<string>>([['/', new Set()]]);

  get(path: string): TreeEntry | undefined {
    return this.#entries.get(path);
  }

  childNames(path: string): Iterable<string> {
    return this.#children.get(path) ?? [];
  }

  entries(): Iterable<[path: string, entry: TreeEntry]> {
    return this.#entries;
  }

  apply(changes: TreeChanges): void {
    for (const [path, entry] of changes) {
      const siblings = this.#children.get(dirname(path));
      if (entry === null) {
        this.#entries.delete(path);
        this.#children.delete(path);
        siblings?.delete(basename(path));
        continue;
      }
      this.#entries.set(path, entry);
      if (path === '/') continue;
      if (siblings === undefined) this.#children.set(dirname(path), new Set([basename(path)]));
      else siblings.add(basename(path));
      if (entry.type === 'directory' && !this.#children.has(path)) this.#children.set(path, new Set());
    }
  }
}

/** Follows symlinks in every segment but, with `followLast: false`, the last one. Returns the real path. */
function realPath(tree: EntryLookup, path: string, followLast: boolean): string {
  let current = '/';
  let pending = resolvePath(path).split('/').filter(Boolean);
  for (let links = 0; pending.length > 0; ) {
    const [name = '', ...rest] = pending;
    const next = joinPath(current, name);
    const entry = tree.get(next);
    if (entry?.type === 'symlink' && (rest.length > 0 || followLast)) {
      if (++links > MAX_SYMLINKS) throw new FileSystemError('ELOOP', path);
      const target = entry.target ?? '';
      const absolute = resolvePath(target.startsWith('/') ? target : joinPath(current, target));
      pending = [...absolute.split('/').filter(Boolean), ...rest];
      current = '/';
      continue;
    }
    if (rest.length > 0 && entry !== undefined && entry.type !== 'directory')
      throw new FileSystemError('ENOTDIR', next);
    current = next;
    pending = rest;
  }
  return current;
}

function find(tree: EntryLookup, path: string, followLast: boolean): [string, TreeEntry] {
  const real = realPath(tree, path, followLast);
  const entry = tree.get(real);
  if (entry === undefined) throw new FileSystemError('ENOENT', path);
  return [real, entry];
}

function listDirectory(tree: EntryLookup, path: string): DirectoryEntry[] {
  const [real, entry] = find(tree, path, true);
  if (entry.type !== 'directory') throw new FileSystemError('ENOTDIR', path);
  return [...tree.childNames(real)].sort().map((name) => {
    const type: EntryType = tree.get(joinPath(real, name))?.type ?? 'file';
    return { name, type };
  });
}

const toStat = ({ type, size, mtimeMs, mode, version }: TreeEntry): Stat => ({ type, size, mtimeMs, mode, version });

type ReadContent = (contentId: string, path: string) => Promise<Uint8Array>;

async function readEntry(
  tree: EntryLookup,
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY }: ReadFileOptions,
  readContent: ReadContent,
): Promise<Uint8Array> {
  const [real, entry] = find(tree, path, true);
  if (entry.type === 'directory') throw new FileSystemError('EISDIR', path);
  if (entry.size > maxBytes)
    throw new FileSystemError('EFBIG', path, { detail: `has ${entry.size} bytes; at most ${maxBytes} can be read` });
  if (entry.contentId === undefined) throw new FileSystemError('EIO', real);
  return readContent(entry.contentId, real);
}

/** Changes over a committed tree, kept apart until the engine commits them. */
export class TreeTransaction implements FileSystemTransaction, EntryLookup {
  readonly changes = new Map<string, TreeEntry | null>();
  #contents = new Map<string, Uint8Array>();
  #base: FileTree;
  #version: Version;
  #readContent: ReadContent;

  /** `version` is what every changed entry gets: the number of the commit this becomes. */
  constructor(base: FileTree, version: Version, readContent: ReadContent) {
    this.#base = base;
    this.#version = version;
    this.#readContent = readContent;
  }

  /** The bytes that the changes refer to; what was written and then overwritten or removed is not among them. */
  get newContents(): NewContents {
    const contents = new Map<string, Uint8Array>();
    for (const entry of this.changes.values()) {
      const data = entry?.contentId === undefined ? undefined : this.#contents.get(entry.contentId);
      if (entry?.contentId !== undefined && data !== undefined) contents.set(entry.contentId, data);
    }
    return contents;
  }

  get(path: string): TreeEntry | undefined {
    const changed = this.changes.get(path);
    return changed === undefined ? this.#base.get(path) : (changed ?? undefined);
  }

  *childNames(path: string): Iterable<string> {
    for (const name of this.#base.childNames(path)) if (!this.changes.has(joinPath(path, name))) yield name;
    for (const [changed, entry] of this.changes) {
      if (entry !== null && changed !== '/' && dirname(changed) === path) yield basename(changed);
    }
  }

  async readFile(path: string, options: ReadFileOptions = {}): Promise<Uint8Array> {
    return readEntry(this, path, options, async (id, real) => this.#contents.get(id) ?? this.#readContent(id, real));
  }
  async readdir(path: string) {
    return listDirectory(this, path);
  }
  async stat(path: string) {
    return toStat(find(this, path, true)[1]);
  }
  async lstat(path: string) {
    return toStat(find(this, path, false)[1]);
  }
  async readlink(path: string) {
    const [, entry] = find(this, path, false);
    if (entry.type !== 'symlink') throw new FileSystemError('EINVAL', path, { detail: 'not a symbolic link' });
    return entry.target ?? '';
  }

  writeFile(path: string, data: Uint8Array, options: { ifVersion?: Version; mode?: number } = {}): void {
    const real = realPath(this, path, true);
    const old = this.get(real);
    if (old?.type === 'directory') throw new FileSystemError('EISDIR', path);
    if (options.ifVersion !== undefined && options.ifVersion !== (old?.version ?? 0)) {
      throw new FileSystemError('ESTALE', path);
    }
    this.#makeParents(real);
    const contentId = crypto.randomUUID();
    // A view would pin (and be stored with) its whole backing buffer, so the bytes are copied; `slice` of a Buffer is a view.
    this.#contents.set(contentId, new Uint8Array(data));
    this.#put(real, {
      type: 'file',
      size: data.byteLength,
      mode: options.mode ?? old?.mode ?? FILE_MODE,
      contentId,
    });
  }

  mkdir(path: string): void {
    const real = realPath(this, path, true);
    const old = this.get(real);
    if (old !== undefined && old.type !== 'directory') throw new FileSystemError('EEXIST', path);
    this.#makeParents(real);
    if (old === undefined) this.#put(real, { type: 'directory', size: 0, mode: DIRECTORY_MODE });
  }

  symlink(target: string, path: string): void {
    const real = realPath(this, path, false);
    if (this.get(real) !== undefined) throw new FileSystemError('EEXIST', path);
    this.#makeParents(real);
    this.#put(real, { type: 'symlink', size: encoder.encode(target).byteLength, mode: 0o777, target });
  }

  rename(from: string, to: string): void {
    const [source, target] = this.#transfer(from, to);
    if (source === target) return;
    this.#removeTree(source);
  }

  copy(from: string, to: string): void {
    this.#transfer(from, to);
  }

  rm(path: string, options: { recursive?: boolean } = {}): void {
    const [real, entry] = find(this, path, false);
    if (real === '/') throw new FileSystemError('EINVAL', path, { detail: 'the workspace root cannot be removed' });
    if (entry.type === 'directory' && options.recursive !== true && !isEmpty(this.childNames(real))) {
      throw new FileSystemError('ENOTEMPTY', path);
    }
    this.#removeTree(real);
  }

  #transfer(from: string, to: string): [source: string, target: string] {
    const [source, entry] = find(this, from, false);
    const target = realPath(this, to, false);
    if (source === target) return [source, target];
    if (isWithin(target, source)) {
      throw new FileSystemError('EINVAL', to, { detail: 'a directory cannot go into itself' });
    }
    const existing = this.get(target);
    if (existing?.type === 'directory') {
      if (entry.type !== 'directory') throw new FileSystemError('EISDIR', to);
      if (!isEmpty(this.childNames(target))) throw new FileSystemError('ENOTEMPTY', to);
    } else if (existing !== undefined && entry.type === 'directory') {
      throw new FileSystemError('ENOTDIR', to);
    }
    this.#makeParents(target);
    for (const path of [...this.#walk(source)]) {
      const moved = this.get(path);
      if (moved !== undefined) this.#put(target + path.slice(source.length), moved);
    }
    return [source, target];
  }

  #removeTree(root: string): void {
    for (const path of [...this.#walk(root)]) this.changes.set(path, null);
  }

  *#walk(root: string): Iterable<string> {
    yield root;
    for (const name of this.childNames(root)) yield* this.#walk(joinPath(root, name));
  }

  #makeParents(path: string): void {
    const parent = dirname(path);
    const entry = this.get(parent);
    if (entry?.type === 'directory') return;
    if (entry !== undefined) throw new FileSystemError('ENOTDIR', parent);
    this.#makeParents(parent);
    this.#put(parent, { type: 'directory', size: 0, mode: DIRECTORY_MODE });
  }

  #put(path: string, entry: Omit<TreeEntry, 'mtimeMs' | 'version'>): void {
    this.changes.set(path, { ...entry, mtimeMs: Date.now(), version: this.#version });
  }
}

function isEmpty(names: Iterable<string>): boolean {
  for (const _ of names) return false;
  return true;
}

/** What an engine must add to the shared tree: where commits go and where bytes come from. */
export abstract class TreeFileSystem implements FileSystem {
  protected tree = new FileTree();
  protected sequence: Version = 0;
  #listeners = new Set<(changes: readonly FileChange[]) => void>();
  #queue: Promise<unknown> = Promise.resolve();

  /** Brings `tree` and `sequence` up to what storage holds; false when nothing was new. */
  protected abstract refresh(): Promise<boolean>;
  /** Stores a commit as number `sequence + 1`; false when that number is taken, so that the transaction runs again. */
  protected abstract commit(tx: TreeTransaction, author: Author): Promise<boolean>;
  protected abstract readContent(contentId: string, path: string): Promise<Uint8Array>;

  async readFile(path: string, options: ReadFileOptions = {}): Promise<Uint8Array> {
    for (;;) {
      await this.refresh();
      const { sequence } = this;
      try {
        return await readEntry(this.tree, path, options, (id, real) => this.readContent(id, real));
      } catch (error) {
        // Another tab's commit may have removed the content between the look at the tree and the read.
        const isLost = error instanceof FileSystemError && error.code === 'EIO';
        if (!isLost || !(await this.#hasMoved(sequence))) throw error;
      }
    }
  }
  async readdir(path: string): Promise<readonly DirectoryEntry[]> {
    await this.refresh();
    return listDirectory(this.tree, path);
  }
  async stat(path: string): Promise<Stat> {
    await this.refresh();
    return toStat(find(this.tree, path, true)[1]);
  }
  async lstat(path: string): Promise<Stat> {
    await this.refresh();
    return toStat(find(this.tree, path, false)[1]);
  }
  async readlink(path: string): Promise<string> {
    await this.refresh();
    const [, entry] = find(this.tree, path, false);
    if (entry.type !== 'symlink') throw new FileSystemError('EINVAL', path, { detail: 'not a symbolic link' });
    return entry.target ?? '';
  }

  transaction<T>(author: Author, change: (tx: FileSystemTransaction) => Promise<T>): Promise<T> {
    const run = this.#queue.then(() => this.#transact(author, change));
    this.#queue = run.catch(() => undefined);
    return run;
  }

  watch(listener: (changes: readonly FileChange[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected notify(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(changes);
      } catch (error) {
        // What is committed stays committed, whatever a listener makes of it; its error is reported as its own.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Applies a committed set of changes to the tree and says what they were, as `watch` reports them. */
  protected applyCommit(changes: TreeChanges, author: Author, sequence: Version): FileChange[] {
    const report: FileChange[] = [];
    for (const [path, entry] of changes) {
      const before = this.tree.get(path);
      if (entry === null && before === undefined) continue;
      const type = entry === null ? 'deleted' : before === undefined ? 'created' : 'changed';
      report.push({ path, type, author });
    }
    this.tree.apply(changes);
    this.sequence = sequence;
    return report;
  }

  async #transact<T>(author: Author, change: (tx: FileSystemTransaction) => Promise<T>): Promise<T> {
    for (;;) {
      await this.refresh();
      const base = this.sequence;
      const tx = new TreeTransaction(this.tree, base + 1, (id, path) => this.readContent(id, path));
      let result: T;
      try {
        result = await change(tx);
      } catch (error) {
        // It may have stumbled over what another tab has just changed; then only the next attempt's error counts.
        if (await this.#hasMoved(base)) continue;
        throw error;
      }
      // A commit that this tab learned of in the meantime lies between the reads and the writes.
      if (this.sequence !== base) continue;
      if (tx.changes.size === 0) return result;
      if (!(await this.commit(tx, author))) continue;
      // A read of this tab may have caught up with the commit before it was reported as complete.
      if (this.sequence === base) this.notify(this.applyCommit(tx.changes, author, base + 1));
      return result;
    }
  }

  /** Whether there are commits after `sequence`. */
  async #hasMoved(sequence: Version): Promise<boolean> {
    await this.refresh().catch(() => false);
    return this.sequence !== sequence;
  }
}

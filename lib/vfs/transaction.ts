import { FileSystemError } from './errors.ts';
import type { FileSystemTransaction, ReadFileOptions, Version } from './file-system.ts';
import {
  find,
  findFile,
  listDirectory,
  lookUp,
  type Place,
  pathsBelow,
  readLink,
  resolveLinks,
  statPath,
} from './lookup.ts';
import {
  type BlobId,
  descendants,
  idOf,
  NO_BLOB,
  type NodeChanges,
  type NodeId,
  type NodeState,
  ROOT_ID,
  sequenceOf,
  TreeOverlay,
  type TreeView,
} from './node-tree.ts';
import { type Removal, withReturned } from './removals.ts';
import type { Commit } from './workspace-storage.ts';

const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const SYMLINK_MODE = 0o777;
const PERMISSION_BITS = 0o7777;

const encoder = new TextEncoder();

/** Reads the bytes of a committed file; if they are missing, rejects with EIO for `path`. */
type ReadBlob = (file: Pick<NodeState, 'blob' | 'size'>, path: string) => Promise<Uint8Array>;

/** A transaction: changes on top of a tree, kept separate from it until they are stored as commit `sequence`. */
export class TreeTransaction implements FileSystemTransaction {
  readonly #base: TreeView;
  readonly #overlay: TreeOverlay;
  /** The number of the commit that this transaction becomes, if it changes anything. */
  readonly sequence: Version;
  readonly #readBlob: ReadBlob;
  #blobs = new Map<BlobId, Uint8Array>();
  #ids = 0;
  /**
   * Whether something created in this transaction may have been removed or replaced again, so that `close` has to leave it out.
   */
  #hasWaste = false;
  #isOpen = true;
  /** Removals to be reverted that are not in the overlay yet. */
  #returned: readonly Removal[] = [];

  constructor(base: TreeView, sequence: Version, readBlob: ReadBlob) {
    this.#base = base;
    this.#overlay = new TreeOverlay(base);
    this.sequence = sequence;
    this.#readBlob = readBlob;
  }

  /** Ends the transaction, and returns the changes to be committed. Its methods throw EINVAL afterwards. */
  close(): Pick<Commit, 'changes' | 'brief' | 'blobs'> {
    this.#isOpen = false;
    if (this.#returned.length > 0) return inBrief(this.#overlay.changes, this.#returned, this.#blobs);
    if (!this.#hasWaste) return { changes: this.#tree.changes, blobs: this.#blobs };
    const changes = new Map<NodeId, NodeState | null>();
    const blobs = new Map<BlobId, Uint8Array>();
    for (const [id, state] of this.#tree.changes) {
      // Created and removed again in this transaction.
      if (state === null && this.#base.node(id) === undefined) continue;
      changes.set(id, state);
      const data = state === null ? undefined : this.#blobs.get(state.blob);
      if (state !== null && data !== undefined) blobs.set(state.blob, data);
    }
    return { changes, blobs };
  }

  /** The base tree with this transaction's changes. */
  get tree(): TreeView {
    return this.#tree;
  }

  /** Gives a node a past state, as a new change; null removes it. */
  putNode(id: NodeId, state: NodeState | null): void {
    this.#check();
    if (state === null) this.#remove(id);
    else {
      this.#noteWaste(id);
      this.#put(id, state);
    }
  }

  /** Restores all nodes that past commits removed, except those that were put in this transaction. */
  returnAll(removals: readonly Removal[]): void {
    this.#check();
    // The brief form is only for transactions that create nothing.
    const isLong = this.#ids > 0;
    this.#returned = this.#returned.concat(removals);
    if (isLong) void this.#tree;
  }

  async readFile(path: string, { maxBytes }: ReadFileOptions = {}): Promise<Uint8Array> {
    this.#check();
    const file = findFile(this.#tree, path, maxBytes);
    return this.#blobs.get(file.blob) ?? this.#readBlob(file, path);
  }
  readFiles(paths: readonly string[], options?: ReadFileOptions): Promise<Uint8Array[]> {
    return Promise.all(paths.map((path) => this.readFile(path, options)));
  }
  async readdir(path: string) {
    this.#check();
    return listDirectory(this.#tree, path);
  }
  async stat(path: string) {
    this.#check();
    return statPath(this.#tree, path, true);
  }
  async lstat(path: string) {
    this.#check();
    return statPath(this.#tree, path, false);
  }
  async readlink(path: string) {
    this.#check();
    return readLink(this.#tree, path);
  }
  realPath(path: string, options?: { followLast?: boolean }): string {
    this.#check();
    return resolveLinks(this.#tree, path, options);
  }
  pathsBelow(path: string): Iterable<string> {
    this.#check();
    return pathsBelow(this.#tree, path);
  }

  writeFile(path: string, data: Uint8Array, options: { ifVersion?: Version; mode?: number } = {}): void {
    this.#check();
    const place = lookUp(this.#tree, path, true);
    const old = place.state;
    if (old?.type === 'directory') throw new FileSystemError('EISDIR', path);
    if (options.ifVersion !== undefined && options.ifVersion !== (old === undefined ? 0 : place.version))
      throw new FileSystemError('ESTALE', path);
    const parent = this.#makeParents(place);
    this.#noteWaste(place.node);
    const blob = data.byteLength === 0 ? NO_BLOB : this.#newId();
    // A view would pin (and be stored with) its whole backing buffer, so copy the bytes; `slice` of a Buffer is a view.
    if (blob !== NO_BLOB) this.#blobs.set(blob, new Uint8Array(data));
    this.#put(place.node ?? this.#newId(), {
      parent,
      name: place.name,
      type: 'file',
      size: data.byteLength,
      mtimeMs: Date.now(),
      mode: options.mode ?? old?.mode ?? FILE_MODE,
      blob,
    });
  }

  mkdir(path: string): void {
    this.#check();
    const place = lookUp(this.#tree, path, true);
    const old = place.state;
    if (old !== undefined && old.type !== 'directory') throw new FileSystemError('EEXIST', path);
    if (old === undefined) this.#makeDirectory(this.#makeParents(place), place.name);
  }

  symlink(target: string, path: string): void {
    this.#check();
    const place = lookUp(this.#tree, path, false);
    if (place.node !== undefined) throw new FileSystemError('EEXIST', path);
    if (target.includes('\0')) throw new FileSystemError('EINVAL', path, { detail: 'target contains a NUL character' });
    this.#put(this.#newId(), {
      parent: this.#makeParents(place),
      name: place.name,
      type: 'symlink',
      size: encoder.encode(target).byteLength,
      mtimeMs: Date.now(),
      mode: SYMLINK_MODE,
      blob: NO_BLOB,
      target,
    });
  }

  rename(from: string, to: string): void {
    const transfer = this.#prepareTransfer(from, to);
    if (transfer === undefined) return;
    const { source, target } = transfer;
    this.#put(source.node, { ...source.state, parent: this.#clear(target), name: target.name });
  }

  copy(from: string, to: string): void {
    const transfer = this.#prepareTransfer(from, to);
    if (transfer === undefined) return;
    const { source, target } = transfer;
    const copies = new Map<NodeId, NodeId>([[source.state.parent, this.#clear(target)]]);
    for (const id of descendants(this.#tree, source.node)) {
      const state = this.#tree.node(id);
      const parent = state === undefined ? undefined : copies.get(state.parent);
      if (state === undefined || parent === undefined) continue;
      const copy = this.#newId();
      copies.set(id, copy);
      const name = id === source.node ? target.name : state.name;
      this.#put(copy, { ...state, parent, name, mtimeMs: Date.now() });
    }
  }

  rm(path: string, options: { recursive?: boolean } = {}): void {
    this.#check();
    const { node, state } = find(this.#tree, path, false);
    if (node === ROOT_ID) throw new FileSystemError('EINVAL', path, { detail: 'the workspace root cannot be removed' });
    if (state.type === 'directory' && options.recursive !== true && !this.#isEmpty(node))
      throw new FileSystemError('ENOTEMPTY', path);
    if (this.#ids > 0) for (const id of descendants(this.#tree, node)) this.#noteWaste(id);
    this.#tree.remove(node);
  }

  setAttributes(path: string, { mode, mtimeMs }: { mode?: number; mtimeMs?: number }): void {
    this.#check();
    const { node, state } = find(this.#tree, path, true);
    if (node === ROOT_ID) throw new FileSystemError('EINVAL', path, { detail: 'the workspace root cannot be changed' });
    const next = { mode: (mode ?? state.mode) & PERMISSION_BITS, mtimeMs: mtimeMs ?? state.mtimeMs };
    if (next.mode !== state.mode || next.mtimeMs !== state.mtimeMs) this.#put(node, { ...state, ...next });
  }

  get #tree(): TreeOverlay {
    if (this.#returned.length > 0) {
      const lists = this.#returned.map(({ removed }) => removed);
      this.#returned = [];
      this.#overlay.apply(withReturned(this.#overlay.changes, lists));
    }
    return this.#overlay;
  }

  /** Finds and checks the places of a move or copy; undefined if they are the same entry. Changes nothing. */
  #prepareTransfer(from: string, to: string) {
    this.#check();
    const source = find(this.#tree, from, false);
    const target = lookUp(this.#tree, to, false);
    if (source.node === target.node) return undefined;
    if (source.segments.every((name, depth) => target.segments[depth] === name))
      throw new FileSystemError('EINVAL', to, { detail: 'a directory cannot be moved or copied into itself' });
    const existing = target.state;
    if (existing?.type === 'directory') {
      if (source.state.type !== 'directory') throw new FileSystemError('EISDIR', to);
      if (target.node !== undefined && !this.#isEmpty(target.node)) throw new FileSystemError('ENOTEMPTY', to);
    } else if (existing !== undefined && source.state.type === 'directory') {
      throw new FileSystemError('ENOTDIR', to);
    }
    return { source, target };
  }

  /** Removes whatever is at a place and returns its directory, which is created if necessary. */
  #clear(place: Place): NodeId {
    if (place.node !== undefined) this.#remove(place.node);
    return this.#makeParents(place);
  }

  #makeParents({ parent, missing }: Place): NodeId {
    return missing.reduce((directory, name) => this.#makeDirectory(directory, name), parent);
  }

  #makeDirectory(parent: NodeId, name: string): NodeId {
    const id = this.#newId();
    const mtimeMs = Date.now();
    this.#put(id, { parent, name, type: 'directory', size: 0, mtimeMs, mode: DIRECTORY_MODE, blob: NO_BLOB });
    return id;
  }

  #put(id: NodeId, state: Omit<NodeState, 'version'>): void {
    this.#tree.put(id, { ...state, version: this.sequence });
  }

  #remove(id: NodeId): void {
    this.#noteWaste(id);
    this.#tree.put(id, null);
  }

  /**
   * Sets `#hasWaste` if the node, or its content, is from this transaction, so that `close` leaves it out. Must be called
   * before the node is replaced or removed.
   */
  #noteWaste(id: NodeId | undefined): void {
    if (id === undefined || this.#ids === 0) return;
    const blob = this.#tree.node(id)?.blob ?? NO_BLOB;
    this.#hasWaste ||= sequenceOf(id) === this.sequence || sequenceOf(blob) === this.sequence;
  }

  #isEmpty(directory: NodeId): boolean {
    return this.#tree.children(directory).size === 0;
  }

  #newId(): number {
    return idOf(this.sequence, ++this.#ids);
  }

  #check(): void {
    if (!this.#isOpen) throw new FileSystemError('EINVAL', '/', { detail: 'the transaction has ended' });
  }
}

/** A commit in brief form; the full list of changes is built only when it is read. */
function inBrief(
  named: NodeChanges,
  removals: readonly Removal[],
  blobs: Commit['blobs'],
): Omit<Commit, 'sequence' | 'author' | 'time'> {
  let changes: NodeChanges | undefined;
  return {
    get changes() {
      const lists = removals.map(({ removed }) => removed);
      changes ??= withReturned(named, lists);
      return changes;
    },
    brief: { named, returned: removals.map(({ sequence }) => sequence) },
    blobs,
  };
}

import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Paths } from '#lib/vfs/file-changes.ts';
import type { DirectoryEntry, Version } from '#lib/vfs/file-system.ts';
import {
  type BlobId,
  descendants,
  NO_BLOB,
  type NodeChanges,
  type NodeId,
  type NodeState,
  NodeTree,
  type TreeView,
} from '#lib/vfs/node-tree.ts';
import { joinPath } from '#lib/vfs/paths.ts';
import { diskError } from './disk-error.ts';
import { virtualTarget } from './link-target.ts';
import { inDirectory } from './pinned-directory.ts';

/** A text that identifies the state of an entry on disk, such as inode, size and times, to detect changes. */
type Signature = string;

/** The values and functions that a tree needs from its storage. */
interface DiskTreeOptions {
  /** The directory on disk; real and absolute. */
  root: string;
  /** Checks whether an entry is left out, with everything below it. */
  isHidden(path: string): boolean;
  /** Checks whether an entry is left out of listings, so that it can only be found by its name. */
  isUnlisted(path: string): boolean;
  /** The version of entries that are seen for the first time. */
  version(): Version;
  /** Called when changes by other programs were noticed, before they become part of the tree. Must raise the version by 1. */
  onChange(changes: NodeChanges): void;
}

/** An entry as it is on disk. */
interface Found {
  signature: Signature;
  state: Omit<NodeState, 'parent' | 'version' | 'blob'>;
}

/**
 * The tree of a directory on disk. Each entry is read when it is first needed, and checked against the disk whenever it is
 * looked up by its name, or listed (not by `node`): changes by other programs become part of the tree at that moment, after
 * `onChange` has been called. Methods throw `FileSystemError` if the disk cannot be read.
 */
export class DiskTree implements TreeView {
  /** The tree as it has been read so far, without looking at the disk again. */
  readonly known = new NodeTree();
  readonly #options: DiskTreeOptions;
  readonly #signatures = new Map<NodeId, Signature>();
  /** The file that each content was last seen in. */
  readonly #owners = new Map<BlobId, NodeId>();
  /** Directories of which all entries have been read. */
  readonly #listed = new Set<NodeId>();
  /** The last id that was given to an entry found on disk. These ids are negative, so that no commit ever uses them. */
  #lastId = 0;

  constructor(options: DiskTreeOptions) {
    this.#options = options;
  }

  node(id: NodeId): NodeState | undefined {
    return this.known.node(id);
  }

  child(parent: NodeId, name: string): NodeId | undefined {
    const path = this.#directoryPath(parent);
    if (path === undefined) return undefined;
    const known = this.known.child(parent, name);
    if (known !== undefined && this.#isUnchanged(known, joinPath(path, name))) return known;
    const found = this.#isSeen(path, name)
      ? this.#read(path, (at) => this.#look(at(name), joinPath(path, name), name))
      : undefined;
    this.#note(parent, new Map([[name, found]]));
    return this.known.child(parent, name);
  }

  children(parent: NodeId): ReadonlyMap<string, NodeId> {
    const path = this.#list(parent);
    const children = this.known.children(parent);
    if (!this.#hasUnlisted(path, children.keys())) return children;
    return new Map([...children].filter(([name]) => !this.#options.isUnlisted(joinPath(path, name))));
  }

  entries(parent: NodeId): readonly DirectoryEntry[] {
    const path = this.#list(parent);
    const entries = this.known.entries(parent);
    if (!this.#hasUnlisted(path, this.known.children(parent).keys())) return entries;
    return entries.filter(({ name }) => !this.#options.isUnlisted(joinPath(path, name)));
  }

  /** Reads everything below a node. */
  load(id: NodeId): void {
    descendants(this, id);
  }

  /** Reads all directories again that have been listed, and takes in what other programs have changed in them. */
  check(): void {
    for (const id of [...this.#listed]) if (this.known.node(id) !== undefined) this.#list(id);
  }

  /** The directories of which all entries have been read. */
  listedPaths(): string[] {
    return [...this.#listed].flatMap((id) => this.#directoryPath(id) ?? []);
  }

  /** The path of a node; undefined if the tree does not have it. */
  pathOf(id: NodeId): string | undefined {
    return new Paths(this.known).of(id);
  }

  /** The signature that an entry had when it was last read or written here; undefined for a node that is not in the tree. */
  signature(id: NodeId): Signature | undefined {
    return this.#signatures.get(id);
  }

  /** The signature of the entry at a path on disk now; undefined if nothing is there. */
  signatureNow(path: string): Signature | undefined {
    const [directory, name] = split(path);
    return this.#read(directory, (at) => signatureAt(at(name)));
  }

  /** A file that has this content; undefined if no file has it any more. */
  ownerOf(blob: BlobId): NodeId | undefined {
    const owner = this.#owners.get(blob);
    if (owner !== undefined && this.known.node(owner)?.blob === blob) return owner;
    for (const [id, state] of this.known.nodes()) if (state.blob === blob) return id;
    return undefined;
  }

  /** Applies the changes of a commit to the tree, after they were made on disk. */
  apply(changes: NodeChanges): void {
    this.#put(changes);
    const paths = new Paths(this.known);
    for (const id of changes.keys()) {
      const path = paths.of(id);
      const signature = path === undefined ? undefined : this.signatureNow(path);
      if (signature === undefined) this.#forget(id);
      else this.#signatures.set(id, signature);
      // A new directory is known completely, since its entries come with it.
      if (this.known.node(id)?.type === 'directory' && id > 0) this.#listed.add(id);
    }
  }

  /** Reads all entries of a directory from disk into the tree, and returns its path; empty for anything else. */
  #list(parent: NodeId): string {
    const path = this.#directoryPath(parent);
    if (path === undefined) return '';
    const isListed = (name: string) => this.#isSeen(path, name) && !this.#options.isUnlisted(joinPath(path, name));
    const found = this.#read(path, (at) => {
      const entries = new Map<string, Found | undefined>();
      for (const name of readdirSync(at()))
        if (isListed(name)) entries.set(name, this.#look(at(name), joinPath(path, name), name));
      return entries;
    });
    const entries = found ?? new Map<string, undefined>();
    for (const name of this.known.children(parent).keys())
      if (!entries.has(name) && isListed(name)) entries.set(name, undefined);
    this.#note(parent, entries);
    this.#listed.add(parent);
    return path;
  }

  #hasUnlisted(path: string, names: Iterable<string>): boolean {
    for (const name of names) if (this.#options.isUnlisted(joinPath(path, name))) return true;
    return false;
  }

  /**
   * Checks whether the entry at an address on disk is still the node as last seen; it may have been moved to that address. Not
   * for directories.
   */
  isSame(id: NodeId, place: string): boolean {
    const [seen, now] = [this.#signatures.get(id), signatureAt(place)];
    return seen !== undefined && now !== undefined && withoutChangeTime(seen) === withoutChangeTime(now);
  }

  /** Checks whether an entry is as it was last seen. This reveals nothing new, so the directory need not be held open. */
  #isUnchanged(id: NodeId, path: string): boolean {
    try {
      const stat = lstatSync(join(this.#options.root, path), { bigint: true });
      return this.#signatures.get(id) === toSignature(stat);
    } catch {
      // It is gone, or cannot be looked at: that is a change.
      return false;
    }
  }

  /** Brings the tree up to date with what was found in a directory. */
  #note(parent: NodeId, entries: ReadonlyMap<string, Found | undefined>): void {
    const gone = new Map<NodeId, null>();
    const there: { id: NodeId; name: string; found: Found; isNew: boolean }[] = [];
    for (const [name, found] of entries) {
      const id = this.known.child(parent, name);
      const before = id === undefined ? undefined : this.known.node(id);
      const isSameKind = found !== undefined && before?.type === found.state.type;
      if (id !== undefined && !isSameKind) gone.set(id, null);
      if (found === undefined) continue;
      if (id === undefined || !isSameKind) there.push({ id: this.#newId(), name, found, isNew: true });
      else if (this.#signatures.get(id) !== found.signature) there.push({ id, name, found, isNew: false });
    }
    if (gone.size === 0 && there.length === 0) return;
    // An entry that is seen for the first time is not a change.
    const isChange = gone.size > 0 || there.some(({ isNew }) => !isNew) || this.#listed.has(parent);
    const version = this.#options.version() + (isChange ? 1 : 0);
    const changes = new Map<NodeId, NodeState | null>(gone);
    for (const { id, found } of there) {
      const blob = found.state.type === 'file' && found.state.size > 0 ? this.#newId() : NO_BLOB;
      changes.set(id, { ...found.state, parent, version, blob });
    }
    if (isChange) this.#options.onChange(changes);
    this.#put(changes);
    for (const { id, found } of there) this.#signatures.set(id, found.signature);
  }

  #put(changes: NodeChanges): void {
    for (const [id, state] of changes) {
      if (state === null) this.#forget(id);
      else if (state.blob !== NO_BLOB) this.#owners.set(state.blob, id);
      const before = this.known.node(id);
      if (before !== undefined && before.blob !== state?.blob) this.#owners.delete(before.blob);
    }
    for (const { id, before } of this.known.apply(changes)) {
      this.#forget(id);
      this.#owners.delete(before.blob);
    }
  }

  #forget(id: NodeId): void {
    this.#signatures.delete(id);
    this.#listed.delete(id);
  }

  /** The path of a directory that has been read; undefined for anything else. */
  #directoryPath(id: NodeId): string | undefined {
    return this.known.node(id)?.type === 'directory' ? this.pathOf(id) : undefined;
  }

  #isSeen(directory: string, name: string): boolean {
    return !this.#options.isHidden(joinPath(directory, name));
  }

  #look(place: string, path: string, name: string): Found | undefined {
    try {
      const stat = lstatSync(place, { bigint: true });
      const common = { name, mtimeMs: Number(stat.mtimeMs), mode: Number(stat.mode & 0o777n) };
      const signature = toSignature(stat);
      if (stat.isDirectory()) return { signature, state: { ...common, type: 'directory', size: 0 } };
      if (stat.isSymbolicLink()) {
        const target = virtualTarget(this.#options.root, readlinkSync(place));
        const size = new TextEncoder().encode(target).byteLength;
        return { signature, state: { ...common, type: 'symlink', size, target } };
      }
      // Sockets, pipes and devices are not files.
      return stat.isFile() ? { signature, state: { ...common, type: 'file', size: Number(stat.size) } } : undefined;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw diskError(path, error);
    }
  }

  /** Calls `use` with a directory held open; undefined if the directory is gone. */
  #read<T>(directory: string, use: (at: (name?: string) => string) => T): T | undefined {
    try {
      return inDirectory(this.#options.root, directory, use);
    } catch (error) {
      // The folder itself must be there.
      if (isAbsent(error) && directory !== '/') return undefined;
      throw diskError(directory, error);
    }
  }

  #newId(): number {
    return --this.#lastId;
  }
}

function split(path: string): [directory: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [slash <= 0 ? '/' : path.slice(0, slash), path.slice(slash + 1)];
}

function signatureAt(place: string): Signature | undefined {
  try {
    return toSignature(lstatSync(place, { bigint: true }));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the signature of an entry on disk: a text that differs when the entry has changed. That of a directory does not
 * show changes in it, since its entries are checked one by one.
 */
export function toSignature(stat: BigIntStats): Signature {
  const { ino, size, mtimeNs, ctimeNs, mode } = stat;
  return stat.isDirectory() ? `directory:${mode}` : `${ino}:${size}:${mtimeNs}:${ctimeNs}:${mode}`;
}

/** A signature without the inode's change time, which is all that changes when an entry is moved or linked to. */
const withoutChangeTime = (signature: Signature): string => signature.split(':').toSpliced(3, 1).join(':');

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ABSENT.has(String(error.code)) && error.name !== 'FileSystemError';

import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { type Fences, isFencedOff, withFence } from '#lib/vfs/fences.ts';
import { fileChanges, Paths } from '#lib/vfs/file-changes.ts';
import type { Author, Version } from '#lib/vfs/file-system.ts';
import {
  type BlobId,
  idOf,
  NO_BLOB,
  type NodeChanges,
  type NodeId,
  type NodeState,
  NodeTree,
  ROOT_ID,
  TreeOverlay,
  withDescendants,
} from '#lib/vfs/node-tree.ts';
import type { Commit, FileContent, LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { applyCommit, isStaging } from './apply-commit.ts';
import { diskError } from './disk-error.ts';
import { virtualTarget } from './link-target.ts';

const EMPTY = new Uint8Array();

/** Identifies the state of a directory entry on disk, to detect changes. */
type Signature = string;

/**
 * A directory on disk as a workspace. Paths are resolved in the workspace's own tree, never by the disk: symlinks are
 * only followed inside the workspace, so no path leads out. Changes by other programs are detected by `refresh`, when a
 * changed file is read, and before a commit touches it. Earlier contents are not kept.
 */
export class DiskStorage implements WorkspaceStorage {
  readonly tree = new NodeTree();
  /** Real and absolute. */
  readonly #root: string;
  #sequence: Version = 0;
  #signatures = new Map<NodeId, Signature>();
  #commits: LogEntry[] = [];
  #listeners = new Set<(update: StorageUpdate) => void>();
  /** Serializes operations on the disk. */
  readonly #queue = new SerialQueue();
  #fences: Fences = [];

  /** Opens a directory. Rejects with FileSystemError ENOENT if it does not exist, ENOTDIR if it is a file. */
  static async open(directory: string): Promise<DiskStorage> {
    try {
      const storage = new DiskStorage(await realpath(directory));
      await storage.refresh();
      return storage;
    } catch (error) {
      throw diskError('/', error);
    }
  }

  private constructor(root: string) {
    this.#root = root;
  }

  get sequence(): Version {
    return this.#sequence;
  }

  /** Always the newest point: the disk keeps no history. */
  get floor(): Version {
    return this.#sequence;
  }

  /**
   * Stores a single commit, all or nothing; rejects with EIO if there are several. Rejects with EEXIST if something is
   * in the way that the workspace cannot represent, such as a socket. There is no choice of durability.
   */
  commit(commits: readonly Commit[]): Promise<boolean> {
    return this.#queue.run(async () => {
      const [first, ...others] = commits;
      if (first?.sequence !== this.#sequence + 1) return false;
      if (isFencedOff(this.#fences, first.author)) throw new FileSystemError('ECANCELED', '/');
      const commit = { ...first, changes: withDescendants(this.tree, first.changes) };
      // A disk applies a single commit or none; commits that arrive together are stored one by one when they are
      // retried.
      if (others.length > 0) throw new FileSystemError('EIO', '/', { detail: 'one commit at a time' });
      const stranger = await this.#findStranger(commit.changes);
      if (stranger !== undefined) {
        await this.#scan();
        // An entry that the workspace cannot represent, such as a socket, stays in the way.
        if (this.#sequence + 1 === commit.sequence) throw new FileSystemError('EEXIST', stranger);
        return false;
      }
      await applyCommit(this.#root, this.tree, commit);
      await this.#take(commit);
      return true;
    });
  }

  /** Rejects with FileSystemError: the code of the disk, or EIO. */
  refresh(): Promise<void> {
    return this.#queue.run(async () => {
      try {
        await this.#scan();
      } catch (error) {
        throw diskError('/', error);
      }
    });
  }

  /** Rejects with EIO also if another program changed the file, after updating the tree. */
  async readBlob({ blob }: FileContent, path: string): Promise<Uint8Array> {
    if (blob === NO_BLOB) return EMPTY;
    const id = this.#ownerOf(blob);
    const place = id === undefined ? undefined : new Paths(this.tree).of(id);
    if (id === undefined || place === undefined) throw new FileSystemError('EIO', path);
    try {
      const data = await readFile(join(this.#root, place));
      if ((await this.#signatureAt(place)) === this.#signatures.get(id)) return new Uint8Array(data);
    } catch {
      // The file no longer exists, which is a change as well.
    }
    await this.refresh();
    throw new FileSystemError('EIO', path, { detail: 'another program changed the file while it was being read' });
  }

  /** Always empty: the disk keeps no history. */
  async log(): Promise<readonly LogEntry[]> {
    return [];
  }

  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#fences = withFence(this.#fences, toolCallId, claimant);
    });
  }

  /** Only commits since the storage was opened. */
  async commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#commits.filter(({ author }) => author.type === 'call' && author.toolCallId === toolCallId);
  }

  /** There is nothing to delete. */
  async forget(): Promise<void> {}

  subscribe(listener: (update: StorageUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finds a path that a commit touches and whose state on disk differs from the tree. */
  async #findStranger(changes: NodeChanges): Promise<string | undefined> {
    const after = new TreeOverlay(this.tree);
    after.apply(changes);
    const [before, next] = [new Paths(this.tree), new Paths(after)];
    for (const id of changes.keys()) {
      const from = before.of(id);
      if (id !== ROOT_ID && from !== undefined) {
        if ((await this.#signatureAt(from)) !== this.#signatures.get(id)) return from;
        const unseen = after.node(id) === undefined ? await this.#unseenIn(id, from) : undefined;
        if (unseen !== undefined) return unseen;
      }
      const to = next.of(id);
      const isFree = to === undefined || this.#isKnownAt(after.node(id));
      if (!isFree && (await this.#signatureAt(to)) !== undefined) return to;
    }
    return undefined;
  }

  /** Finds an entry that another program has created in a directory that is to be removed. */
  async #unseenIn(id: NodeId, path: string): Promise<string | undefined> {
    if (this.tree.node(id)?.type !== 'directory') return undefined;
    const names = await readdir(join(this.#root, path)).catch(() => []);
    const unseen = names.find((name) => this.tree.child(id, name) === undefined);
    return unseen === undefined ? undefined : `${path}/${unseen}`;
  }

  /** Whether the tree has an entry at a node's path. */
  #isKnownAt(state: NodeState | undefined): boolean {
    return state !== undefined && this.tree.child(state.parent, state.name) !== undefined;
  }

  async #signatureAt(path: string): Promise<Signature | undefined> {
    const stat = await lstat(join(this.#root, path), { bigint: true }).catch(() => undefined);
    if (stat === undefined) return undefined;
    // A directory is defined by its entries, which are checked one by one.
    return stat.isDirectory() ? 'directory' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}`;
  }

  async #take({ sequence, author, time, changes }: Commit): Promise<void> {
    const report = fileChanges(this.tree, changes, author);
    const entry = Array.from(changes, ([id, after]) => ({ id, before: this.tree.node(id) ?? null, after }));
    this.tree.apply(changes);
    this.#sequence = sequence;
    this.#commits.push({ sequence, author, time, changes: entry });
    const paths = new Paths(this.tree);
    for (const id of changes.keys()) {
      const path = paths.of(id);
      const signature = path === undefined ? undefined : await this.#signatureAt(path);
      if (signature === undefined) this.#signatures.delete(id);
      else this.#signatures.set(id, signature);
    }
    for (const listener of this.#listeners) listener({ sequence, report, changes });
  }

  #ownerOf(blob: BlobId): NodeId | undefined {
    for (const [id, state] of this.tree.nodes()) if (state.blob === blob) return id;
    return undefined;
  }

  /** Updates the tree from the disk. Changes become a single commit by the user. */
  async #scan(): Promise<void> {
    const sequence = this.#sequence + 1;
    const changes = new Map<NodeId, NodeState | null>();
    const signatures = new Map<NodeId, Signature>();
    const seen = new Set<NodeId>([ROOT_ID]);
    let ids = 0;
    const newId = () => idOf(sequence, ++ids);
    const visit = async (path: string, parent: NodeId): Promise<void> => {
      for (const { name } of await readdir(join(this.#root, path), { withFileTypes: true })) {
        if (isStaging(name)) continue;
        const child = `${path}/${name}`;
        const signature = await this.#signatureAt(child);
        const found = signature === undefined ? undefined : await this.#stateAt(child, parent, name, sequence, newId);
        if (found === undefined || signature === undefined) continue;
        const known = this.tree.child(parent, name);
        const before = known === undefined ? undefined : this.tree.node(known);
        const isSameKind = known !== undefined && before?.type === found.type;
        const id = isSameKind ? known : newId();
        seen.add(id);
        signatures.set(id, signature);
        if (!isSameKind || this.#signatures.get(id) !== signature) changes.set(id, found);
        if (found.type === 'directory') await visit(child, id);
      }
    };
    await visit('', ROOT_ID);
    for (const [id] of this.tree.nodes()) if (!seen.has(id)) changes.set(id, null);
    this.#signatures = signatures;
    if (changes.size === 0) return;
    const author: Author = { type: 'person' };
    // Deletions first, to make room for new entries.
    const ordered = new Map([...changes].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null)));
    const report = this.#listeners.size === 0 ? [] : fileChanges(this.tree, ordered, author);
    this.tree.apply(ordered);
    this.#sequence = sequence;
    for (const listener of this.#listeners) listener({ sequence, report, changes: ordered });
  }

  async #stateAt(
    path: string,
    parent: NodeId,
    name: string,
    version: Version,
    newBlob: () => BlobId,
  ): Promise<NodeState | undefined> {
    const place = join(this.#root, path);
    const stat = await lstat(place);
    const common = { parent, name, mtimeMs: Math.trunc(stat.mtimeMs), mode: stat.mode & 0o777, version };
    if (stat.isDirectory()) return { ...common, type: 'directory', size: 0, blob: NO_BLOB };
    if (stat.isSymbolicLink()) {
      const target = virtualTarget(this.#root, await readlink(place));
      const size = new TextEncoder().encode(target).byteLength;
      return { ...common, type: 'symlink', size, blob: NO_BLOB, target };
    }
    // Sockets, pipes and devices are not files.
    if (!stat.isFile()) return undefined;
    return { ...common, type: 'file', size: stat.size, blob: stat.size === 0 ? NO_BLOB : newBlob() };
  }
}

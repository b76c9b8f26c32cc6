import { FileSystemError } from './errors.ts';
import { type Fences, isFencedOff, withFence } from './fences.ts';
import { fileChanges } from './file-changes.ts';
import type { Author, Version } from './file-system.ts';
import { type BlobId, NO_BLOB, NodeTree, withDescendants } from './node-tree.ts';
import type {
  Commit,
  CommitOptions,
  FileContent,
  LogEntry,
  StorageUpdate,
  WorkspaceStorage,
} from './workspace-storage.ts';

const EMPTY = new Uint8Array();

/**
 * The storage of a workspace in memory, which lasts as long as the page or process: for tests, the command line, and
 * browsers without storage.
 */
export class MemoryStorage implements WorkspaceStorage {
  readonly tree = new NodeTree();
  #log: LogEntry[] = [];
  #floor: Version = 0;
  #blobs = new Map<BlobId, Uint8Array>();
  #listeners = new Set<(update: StorageUpdate) => void>();
  #fences: Fences = [];

  /** The number of the last commit in the tree; 0 if there is none. */
  get sequence(): Version {
    return this.#floor + this.#log.length;
  }

  /** The number of the last commit whose log entry was deleted; 0 if none was. */
  get floor(): Version {
    return this.#floor;
  }

  async commit(commits: readonly Commit[], { origin }: Pick<CommitOptions, 'origin'> = {}): Promise<boolean> {
    if (commits[0]?.sequence !== this.sequence + 1) return false;
    if (commits.some(({ author }) => isFencedOff(this.#fences, author))) throw new FileSystemError('ECANCELED', '/');
    for (const { sequence, author, time, blobs, ...commit } of commits) {
      const changes = withDescendants(this.tree, commit.changes);
      const report = fileChanges(this.tree, changes, author);
      const entry = Array.from(changes, ([id, after]) => ({ id, before: this.tree.node(id) ?? null, after }));
      for (const [id, data] of blobs)
        this.#blobs.set(id, data.byteLength === data.buffer.byteLength ? data : data.slice());
      this.tree.apply(changes);
      this.#log.push({ sequence, author, time, changes: entry });
      for (const listener of this.#listeners) listener({ sequence, report, changes, origin });
    }
    return true;
  }

  async refresh(): Promise<void> {}

  async readBlob({ blob }: FileContent, path: string): Promise<Uint8Array> {
    const data = blob === NO_BLOB ? EMPTY : this.#blobs.get(blob);
    if (data === undefined) throw new FileSystemError('EIO', path);
    return data;
  }

  async log(after: Version): Promise<readonly LogEntry[]> {
    return this.#log.slice(Math.max(0, after - this.#floor));
  }

  /** Refuses later commits of an executor (`claimant`) for a call, because another one has taken the call over. */
  async fence(toolCallId: string, claimant: string): Promise<void> {
    this.#fences = withFence(this.#fences, toolCallId, claimant);
  }

  async commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#log.filter(({ author }) => author.type === 'call' && author.toolCallId === toolCallId);
  }

  /** Deletes the log up to a commit, and the contents that only it refers to. This adds a commit without changes. */
  async forget(upTo: Version): Promise<void> {
    const count = Math.min(upTo, this.sequence) - this.#floor;
    if (count <= 0) return;
    const author: Author = { type: 'person' };
    await this.commit([
      { sequence: this.sequence + 1, author, time: Date.now(), changes: new Map(), blobs: new Map() },
    ]);
    this.#log.splice(0, count);
    this.#floor += count;
    const known = new Set<BlobId>();
    for (const [, { blob }] of this.tree.nodes()) known.add(blob);
    for (const { changes } of this.#log)
      for (const { before, after } of changes) for (const state of [before, after]) if (state) known.add(state.blob);
    for (const blob of this.#blobs.keys()) if (!known.has(blob)) this.#blobs.delete(blob);
  }

  subscribe(listener: (update: StorageUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

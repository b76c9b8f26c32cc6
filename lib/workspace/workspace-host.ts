import { transfer } from 'comlink';
import type { TransactionOptions, Version } from '#lib/vfs/file-system.ts';
import { decodeCommit, type EncodedCommit } from '#lib/vfs/indexeddb/encoded-commit.ts';
import { type EncodedTree, encodeTree } from '#lib/vfs/indexeddb/encoded-tree.ts';
import type { NodeTree } from '#lib/vfs/node-tree.ts';
import type { CommitOptions, LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { type ReadBlobs, sharesBuffer, type WantedBlobs } from './blob-transfer.ts';

/**
 * A storage that `WorkspaceHost` can offer, because its whole tree can be sent. It may also take commits, and give its tree, in
 * the encoded form in which they are sent between threads.
 */
export type HostedStorage = WorkspaceStorage & {
  readonly tree: NodeTree;
  commitEncoded?(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean>;
  encodedTree?(): EncodedTree;
};

/** The state with which a mirror of the tree (`RemoteStorage`) begins. */
interface MirrorState {
  /** Undefined if the mirror already has the current tree. */
  tree: EncodedTree | undefined;
  floor: Version;
}

/** An update for a mirror (`RemoteStorage`); with the whole tree if there are no `changes`, because too much has changed. */
export interface MirrorUpdate extends Omit<StorageUpdate, 'origin'> {
  /** The number of the last commit that is no longer in the log; 0 if all are in it. */
  floor: Version;
  tree?: EncodedTree;
}

/** The methods of `WorkspaceHost`, as `RemoteStorage` calls them from a page or another worker. */
export type WorkspaceHostApi = Pick<WorkspaceHost, keyof WorkspaceHost>;

/**
 * Offers a storage to a `RemoteStorage` in another thread, which calls these methods. Those without a description do what
 * `WorkspaceStorage` says. Every method rejects only with `FileSystemError`.
 */
export class WorkspaceHost {
  readonly #storage: HostedStorage;

  constructor(storage: HostedStorage) {
    this.#storage = storage;
  }

  /**
   * Returns the state for a new mirror. From then on, `onUpdate` is called for all commits except the mirror's own. `known`:
   * the version of the tree that the mirror already has, if any; if it is the current one, the result has no tree.
   */
  async mirror(onUpdate: (update: MirrorUpdate) => void, known?: Version): Promise<MirrorState> {
    if (known !== undefined && known > this.#storage.sequence) await this.#storage.refresh();
    const isOthers = (origin?: object) => origin !== this;
    this.#storage.subscribe((update) => {
      const { origin, ...others } = update;
      if (!isOthers(origin)) return;
      const { floor } = this.#storage;
      onUpdate({ ...others, floor, ...(update.changes === undefined && { tree: this.#tree() }) });
    }, isOthers);
    return { tree: this.#storage.sequence === known ? undefined : this.#tree(), floor: this.#storage.floor };
  }

  /**
   * Stores commits of the mirror. `isStored`: false if others committed first. `sequence`: the number that the mirror must
   * reach before it continues.
   */
  async commit(
    commits: readonly EncodedCommit[],
    options: Required<TransactionOptions>,
  ): Promise<{ isStored: boolean; sequence: Version }> {
    const own = { ...options, origin: this };
    const isStored = await (this.#storage.commitEncoded?.(commits, own) ?? this.#decodeAndCommit(commits, own));
    return { isStored, sequence: this.#storage.sequence };
  }

  async #decodeAndCommit(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean> {
    const decoded = await Promise.all(commits.map((commit) => decodeCommit(commit, this.#storage)));
    return this.#storage.commit(decoded, options);
  }

  async refresh(): Promise<Version> {
    await this.#storage.refresh();
    return this.#storage.sequence;
  }

  async forget(upTo: Version): Promise<{ sequence: Version; floor: Version }> {
    await this.#storage.forget(upTo);
    return { sequence: this.#storage.sequence, floor: this.#storage.floor };
  }

  log(after: Version): Promise<readonly LogEntry[]> {
    return this.#storage.log(after);
  }

  fence(toolCallId: string, claimant: string): Promise<void> {
    return this.#storage.fence(toolCallId, claimant);
  }

  commitsOf(toolCallId: string): Promise<readonly LogEntry[]> {
    return this.#storage.commitsOf(toolCallId);
  }

  /** Reads contents, as copies that are transferred to the caller. Rejects if any of them cannot be read. */
  async readBlobs({ blobs, sizes }: WantedBlobs): Promise<ReadBlobs> {
    const wanted = Array.from(blobs, (blob, index) => ({ blob, size: sizes[index] ?? 0 }));
    const contents = await Promise.all(wanted.map((content) => this.#storage.readBlob(content, '/')));
    const isTogether = (data: Uint8Array) => sharesBuffer(data.byteLength, contents.length);
    const together = joined(contents.filter(isTogether));
    const alone = contents.filter((data) => !isTogether(data)).map((data) => new Uint8Array(data));
    return transfer(
      { together, alone },
      [together, ...alone].map(({ buffer }) => buffer),
    );
  }

  #tree(): EncodedTree {
    return this.#storage.encodedTree?.() ?? encodeTree(this.#storage.tree, this.#storage.sequence);
  }
}

function joined(contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(contents.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const data of contents) {
    all.set(data, offset);
    offset += data.byteLength;
  }
  return all;
}

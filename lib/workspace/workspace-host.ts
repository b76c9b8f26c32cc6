import { transfer } from 'comlink';
import type { TransactionOptions, Version } from '#lib/vfs/file-system.ts';
import { decodeCommit, type EncodedCommit } from '#lib/vfs/indexeddb/encoded-commit.ts';
import { type EncodedTree, encodeTree } from '#lib/vfs/indexeddb/encoded-tree.ts';
import type { NodeTree } from '#lib/vfs/node-tree.ts';
import type { CommitOptions, LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { type ReadBlobs, sharesBuffer, type WantedBlobs } from './blob-transfer.ts';

/** A storage whose whole tree can be sent. It may accept encoded commits and provide its encoded tree. */
export type HostedStorage = WorkspaceStorage & {
  readonly tree: NodeTree;
  commitEncoded?(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean>;
  encodedTree?(): EncodedTree;
};

/** The initial state for a mirror. */
export interface MirrorState {
  /** Undefined if the mirror already has it. */
  tree: EncodedTree | undefined;
  floor: Version;
}

/** An update for a mirror, with the whole tree if that was reloaded. */
export interface MirrorUpdate extends Omit<StorageUpdate, 'origin'> {
  floor: Version;
  tree?: EncodedTree;
}

/** The interface for the page. */
export type WorkspaceHostApi = Pick<WorkspaceHost, keyof WorkspaceHost>;

/** The worker side of the page's `RemoteStorage`. Every method rejects only with `FileSystemError`. */
export class WorkspaceHost {
  readonly #storage: HostedStorage;

  constructor(storage: HostedStorage) {
    this.#storage = storage;
  }

  /** `onUpdate` is called for all commits except the mirror's own. `known`: the version that the mirror has, if any. */
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
   * Returns whether the commits were stored, and the sequence number that the mirror must reach before it continues.
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

  /** Contents that belong to the caller. Rejects if any of them cannot be read. */
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

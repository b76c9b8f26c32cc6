import { transfer } from 'comlink';
import type { TransactionOptions, Version } from '#lib/vfs/file-system.ts';
import { decodeCommit, type EncodedCommit } from '#lib/vfs/indexeddb/encoded-commit.ts';
import { type EncodedTree, encodeTree } from '#lib/vfs/indexeddb/encoded-tree.ts';
import type { NodeTree } from '#lib/vfs/node-tree.ts';
import type { CommitOptions, LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { type ReadBlobs, sharesBuffer, type WantedBlobs } from './blob-transfer.ts';

/** A storage whose whole tree can be sent. It may take commits, and give its tree, in the form in which they cross. */
export type HostedStorage = WorkspaceStorage & {
  readonly tree: NodeTree;
  commitEncoded?(commits: readonly EncodedCommit[], options: CommitOptions): Promise<boolean>;
  encodedTree?(): EncodedTree;
};

/** What a mirror has to know, or to begin with. */
export interface MirrorState {
  /** Undefined where the mirror has it already. */
  tree: EncodedTree | undefined;
  floor: Version;
}

/** An update as it goes to a mirror: with the whole tree where that was read anew. */
export interface MirrorUpdate extends Omit<StorageUpdate, 'origin'> {
  floor: Version;
  tree?: EncodedTree;
}

/** What the page calls. */
export type WorkspaceHostApi = Pick<WorkspaceHost, keyof WorkspaceHost>;

/** The storage of a worker, as the page's `RemoteStorage` calls it. Every method rejects only with `FileSystemError`. */
export class WorkspaceHost {
  readonly #storage: HostedStorage;

  constructor(storage: HostedStorage) {
    this.#storage = storage;
  }

  /** `onUpdate` hears of everything that the mirror does not commit itself. `known`: what it has up to now, if anything. */
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

  /** Whether the commits were stored, and where the mirror has to be before it goes on. */
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

  /** Contents that are the caller's own. Rejects where one of them cannot be read. */
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

import { transfer } from 'comlink';
import type { TransactionOptions, Version } from '#lib/vfs/file-system.ts';
import type { NodeTree } from '#lib/vfs/node-tree.ts';
import { encodeSnapshot, type Snapshot } from '#lib/vfs/snapshot.ts';
import type { LogEntry, StorageUpdate, WorkspaceStorage } from '#lib/vfs/workspace-storage.ts';
import { type ReadBlobs, sharesBuffer, type WantedBlobs } from './blob-transfer.ts';
import { type TransferredCommit, unpackCommits } from './commit-transfer.ts';

/** A storage whose whole tree can be sent. */
export type HostedStorage = WorkspaceStorage & { readonly tree: NodeTree };

/** What a mirror has to know, or to begin with. */
export interface MirrorState {
  snapshot: Snapshot;
  floor: Version;
}

/** An update as it goes to a mirror: with the whole tree where that was read anew. */
export interface MirrorUpdate extends StorageUpdate {
  floor: Version;
  snapshot?: Snapshot;
}

/** What the page calls. */
export type WorkspaceHostApi = Pick<WorkspaceHost, keyof WorkspaceHost>;

/** The storage of a worker, as the page's `RemoteStorage` calls it. Every method rejects only with `FileSystemError`. */
export class WorkspaceHost {
  readonly #storage: HostedStorage;
  /** The changes of the commits under way: the mirror that makes them has them already. */
  readonly #own = new Set<unknown>();

  constructor(storage: HostedStorage) {
    this.#storage = storage;
  }

  /** `onUpdate` hears of everything that the mirror does not commit itself. */
  async mirror(onUpdate: (update: MirrorUpdate) => void): Promise<MirrorState> {
    const isOthers = (changes: unknown) => !this.#own.has(changes);
    this.#storage.subscribe((update) => {
      if (update.changes !== undefined && !isOthers(update.changes)) return;
      const { floor } = this.#storage;
      onUpdate({ ...update, floor, ...(update.changes === undefined && { snapshot: this.#snapshot() }) });
    }, isOthers);
    return { snapshot: this.#snapshot(), floor: this.#storage.floor };
  }

  /** Whether the commits were stored, and where the mirror has to be before it goes on. */
  async commit(
    transferred: readonly TransferredCommit[],
    options: Required<TransactionOptions>,
  ): Promise<{ isStored: boolean; sequence: Version }> {
    const commits = unpackCommits(transferred);
    for (const { changes } of commits) this.#own.add(changes);
    try {
      const isStored = await this.#storage.commit(commits, options);
      return { isStored, sequence: this.#storage.sequence };
    } finally {
      for (const { changes } of commits) this.#own.delete(changes);
    }
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

  #snapshot(): Snapshot {
    return encodeSnapshot(this.#storage.tree, this.#storage.sequence, new Map());
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

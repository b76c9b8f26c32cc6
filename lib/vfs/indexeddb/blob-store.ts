import { ContentCache } from '../content-cache.ts';
import { CONTENT_CACHE_MAX_BYTES, INLINE_MAX_BYTES } from '../limits.ts';
import { type BlobId, NO_BLOB, sequenceOf } from '../node-tree.ts';
import type { PackPlace } from '../snapshot.ts';
import type { FileContent } from '../workspace-storage.ts';
import { readCommit } from './log-records.ts';
import type { WorkspaceDatabase } from './schema.ts';
import { bytesOf } from './stored-bytes.ts';

const EMPTY = new Uint8Array();

/** The number of packs that are prefetched in parallel. */
const PREFETCH_PACKS = 4;

/**
 * Finds the bytes of a file's content by its blob id, wherever they are: in memory, in a pack (a stored group of small
 * contents), stored alone, or in the log record of its commit.
 */
export class BlobStore {
  /** The locations of contents in packs. */
  readonly places = new Map<BlobId, PackPlace>();
  /** Contents in the log's tail (the commits since the last snapshot of the tree), kept in memory until they are packed. */
  readonly inline = new Map<BlobId, Uint8Array>();
  readonly #db: WorkspaceDatabase;
  readonly #cache = new ContentCache(CONTENT_CACHE_MAX_BYTES);
  /** Pending loads by key. */
  readonly #loading = new Map<number, Promise<Uint8Array | undefined>>();

  constructor(db: WorkspaceDatabase) {
    this.#db = db;
  }

  /** Caches a pack or a large content that has just been stored. */
  remember(key: number, data: Uint8Array): void {
    this.#cache.set(key, data);
  }

  /** The bytes of a content, possibly as a view of a pack; undefined if they are not in memory. */
  inMemory(file: FileContent): Uint8Array | undefined {
    if (file.blob === NO_BLOB) return EMPTY;
    const inline = this.inline.get(file.blob);
    if (inline !== undefined) return inline;
    const place = this.places.get(file.blob);
    const chunk = this.#cache.get(place?.pack ?? file.blob);
    return chunk === undefined ? undefined : contentIn(chunk, place, file);
  }

  /** Reads a content's bytes, possibly as a view of a pack; undefined if not stored. Rejects with IndexedDB's errors. */
  async view(file: FileContent): Promise<Uint8Array | undefined> {
    const known = this.inMemory(file);
    if (known !== undefined) return known;
    const place = this.places.get(file.blob);
    const chunk = await this.#load(place?.pack ?? file.blob, place === undefined ? file : undefined);
    return chunk === undefined ? undefined : contentIn(chunk, place, file);
  }

  /** Loads the contents that are not in memory yet. Rejects with IndexedDB's errors. */
  async load(files: readonly FileContent[]): Promise<void> {
    const missing = new Map<number, FileContent | undefined>();
    for (const file of files) {
      if (this.inMemory(file) !== undefined) continue;
      const place = this.places.get(file.blob);
      missing.set(place?.pack ?? file.blob, place === undefined ? file : undefined);
    }
    await Promise.all(Array.from(missing, ([key, alone]) => this.#load(key, alone)));
  }

  /** Loads packs into the cache that are not in it yet, until the next one would evict something. */
  async prefetch(packs: ReadonlySet<number>): Promise<void> {
    const missing = [...packs].filter((pack) => !this.#cache.has(pack));
    while (missing.length > 0) {
      const loaded = await Promise.all(missing.splice(0, PREFETCH_PACKS).map((pack) => this.#load(pack, undefined)));
      if (loaded.some((data) => data !== undefined && !this.#cache.hasRoom(data.byteLength))) return;
    }
  }

  #load(key: number, alone: FileContent | undefined): Promise<Uint8Array | undefined> {
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const load = (alone === undefined ? this.#fromBlobs(key) : this.#loadAlone(alone))
      .then((data) => {
        if (data !== undefined) this.#cache.set(key, data);
        return data;
      })
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, load);
    return load;
  }

  /** Loads a large content, or a small one of a commit that is still in the log. */
  async #loadAlone({ blob, size }: FileContent): Promise<Uint8Array | undefined> {
    const fromLog = async () => {
      const record = await readCommit(this.#db.transaction('log').store, sequenceOf(blob));
      return record?.inline?.find(([id]) => id === blob)?.[1];
    };
    return size > INLINE_MAX_BYTES
      ? ((await this.#fromBlobs(blob)) ?? (await fromLog()))
      : ((await fromLog()) ?? (await this.#fromBlobs(blob)));
  }

  async #fromBlobs(key: number): Promise<Uint8Array | undefined> {
    const stored = await this.#db.get('blobs', key);
    return stored && bytesOf(stored);
  }
}

const contentIn = (chunk: Uint8Array, place: PackPlace | undefined, { size }: FileContent): Uint8Array =>
  place === undefined ? chunk : chunk.subarray(place.offset, place.offset + size);

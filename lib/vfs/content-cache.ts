/** An LRU cache of bytes by id, such as file contents, limited by their total size in bytes. */
export class ContentCache {
  #entries = new Map<number, Uint8Array>();
  #bytes = 0;
  #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Checks whether `byteLength` more bytes fit without evicting anything. */
  hasRoom(byteLength: number): boolean {
    return this.#bytes + byteLength <= this.#maxBytes;
  }

  /** Returns a content, and marks it as the most recently used one; undefined if it is not cached. */
  get(id: number): Uint8Array | undefined {
    const data = this.#entries.get(id);
    if (data === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, data);
    return data;
  }

  /** Checks whether a content is cached; does not count as use. */
  has(id: number): boolean {
    return this.#entries.has(id);
  }

  /** Adds or replaces a content, and evicts the least recently used ones. A content larger than the cache is not kept. */
  set(id: number, data: Uint8Array): void {
    this.delete(id);
    if (data.byteLength > this.#maxBytes) return;
    this.#entries.set(id, data);
    this.#bytes += data.byteLength;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(id: number): void {
    const data = this.#entries.get(id);
    if (data === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= data.byteLength;
  }
}

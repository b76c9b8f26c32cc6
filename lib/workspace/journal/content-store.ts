import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNUSED_CONTENT_MS } from './limits.ts';

/** The SHA-256 of bytes, in hexadecimal. */
export const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** A store of file contents by SHA-256, each kept once, in a folder that holds nothing else. Methods throw Node's errors. */
export class ContentStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a content, unless it is already stored, and returns its hash. */
  put(data: Uint8Array): string {
    const hash = hashOf(data);
    const place = this.#place(hash);
    if (this.has(hash, data.byteLength)) return hash;
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    const draft = `${place}-${randomUUID()}`;
    try {
      writeFileSync(draft, data, { mode: 0o600 });
      renameSync(draft, place);
    } catch (error) {
      // If the disk is full, a part of it is no help.
      rmSync(draft, { force: true });
      throw error;
    }
    return hash;
  }

  /**
   * Checks whether a content is stored. `size`: in bytes; undefined if unknown. A stored file of another size does not count:
   * after a power failure, it may be empty.
   */
  has(hash: string, size: number | undefined): boolean {
    const stored = statSync(this.#place(hash), { throwIfNoEntry: false });
    return stored !== undefined && (size === undefined || stored.size === size);
  }

  /** Reads a content by its hash; undefined if it is not stored, cannot be read, or is damaged. */
  get(hash: string): Uint8Array | undefined {
    try {
      const data = readFileSync(this.#place(hash));
      return hashOf(data) === hash ? new Uint8Array(data) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Deletes the contents that are not in `used`, except those that were stored less than `UNUSED_CONTENT_MS` ago. */
  keepOnly(used: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const group of readdirSync(this.#folder))
      for (const name of readdirSync(join(this.#folder, group))) {
        const place = join(this.#folder, group, name);
        if (!used.has(group + name) && Date.now() - statSync(place).mtimeMs > UNUSED_CONTENT_MS)
          rmSync(place, { force: true });
      }
  }

  #place(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('Not a hash.');
    return join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

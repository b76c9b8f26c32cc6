import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNUSED_CONTENT_MS } from './limits.ts';

/** The SHA-256 of bytes, in hexadecimal. */
export const hashOf = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Contents of files by their hashes, each stored once, in a folder of its own. Methods throw Node's errors. */
export class Contents {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a content and returns its hash. */
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

  /** Checks whether a content is stored with this size: after a power failure, a file may be empty. */
  has(hash: string, size: number | undefined): boolean {
    const stored = statSync(this.#place(hash), { throwIfNoEntry: false });
    return stored !== undefined && (size === undefined || stored.size === size);
  }

  /** A content; undefined if it is not stored, or damaged. */
  get(hash: string): Uint8Array | undefined {
    try {
      const data = readFileSync(this.#place(hash));
      return hashOf(data) === hash ? new Uint8Array(data) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Deletes what is not in use and not new. */
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

import * as z from 'zod';
import type { Version } from '#lib/vfs/file-system.ts';
import type { DiskFile } from './disk-folder.ts';

/**
 * The time after the last change of a file, in milliseconds, in which it may change again with the same timestamp. A file that
 * was read in that time is read again.
 */
const TIME_STAMP_MS = 3_000;
/** The number of bytes each scan reads, file by file in turn, to find changes that kept a file's size and timestamp. */
const CHECK_BYTES = 4_000_000;
/** The least number of bytes that a file counts toward `CHECK_BYTES`. */
const CHECK_MIN_BYTES = 20_000;
/** A timestamp that no file has. */
const NEVER = -1;

/**
 * A file of a synced folder as it was when the disk and the workspace last had the same content: its timestamp and size on
 * disk, and its version in the workspace.
 */
export const agreedFileSchema = z.object({
  lastModified: z.number(),
  size: z.number(),
  version: z.number(),
  /** SHA-256 of the content; missing in records of earlier versions. */
  hash: z.string().optional(),
  /** When the content was last read, in milliseconds since the epoch. */
  checkedAt: z.number().optional(),
});
type AgreedFile = z.infer<typeof agreedFileSchema>;

/**
 * The files of a synced folder as they were when the disk and the workspace last had the same content. The hash of a file's
 * content decides whether it has changed on disk; timestamp and size only show which files need not be read.
 */
export class AgreedFiles {
  readonly #files: Map<string, AgreedFile>;
  /** Paths whose contents still have to be read in this round. */
  #round: string[] = [];
  #credit = 0;
  hasChanged = false;

  constructor(files: ReadonlyMap<string, AgreedFile> = new Map()) {
    this.#files = new Map(files);
  }

  get(path: string): AgreedFile | undefined {
    return this.#files.get(path);
  }

  paths(): IterableIterator<string> {
    return this.#files.keys();
  }

  snapshot(): Map<string, AgreedFile> {
    return new Map(this.#files);
  }

  /** Records that the disk and the workspace have the same content now. `hash`: that of the content. */
  agree(path: string, { file: { lastModified, size } }: DiskFile, version: Version, hash: string): void {
    const known = this.#files.get(path);
    this.#files.set(path, { lastModified, size, version, hash, checkedAt: Date.now() });
    this.hasChanged ||=
      known?.lastModified !== lastModified || known.size !== size || known.version !== version || known.hash !== hash;
  }

  /** Records that the disk and the workspace had this content, and that the file on disk has to be read again. */
  doubt(path: string, version: Version, hash: string): void {
    this.#files.set(path, { lastModified: NEVER, size: 0, version, hash });
    this.hasChanged = true;
  }

  remove(path: string): void {
    this.hasChanged ||= this.#files.delete(path);
  }

  /**
   * Returns the paths of the files whose content has to be read even if timestamp and size are unchanged: those that changed
   * just before they were last read, and all the others in turn, a few at a time. `files`: the files on disk. Called once for
   * each scan.
   */
  due(files: ReadonlyMap<string, DiskFile>): Set<string> {
    const due = new Set<string>();
    for (const [path, { lastModified, checkedAt }] of this.#files)
      if (checkedAt !== undefined && checkedAt - lastModified < TIME_STAMP_MS) due.add(path);
    this.#credit = Math.min(this.#credit + CHECK_BYTES, CHECK_BYTES);
    if (this.#round.length === 0) this.#round = [...this.#files.keys()];
    while (this.#credit > 0) {
      const path = this.#round.pop();
      if (path === undefined) break;
      due.add(path);
      this.#credit -= Math.max(files.get(path)?.file.size ?? 0, CHECK_MIN_BYTES);
    }
    return due;
  }
}

import { unzipSync, type Zippable, zipSync } from 'fflate';
import { ArchiveError } from './archive-error.ts';
import { ZIP_ENTRIES_MAX } from './limits.ts';

/** Limits for unpacking, against archives that are larger than they seem. */
export interface ArchiveLimits {
  /** Maximum unpacked size, in bytes. */
  maxBytes: number;
  /** Maximum number of files and folders. */
  maxEntries: number;
}

/** The contents of an archive, by name. The name of a folder ends with a slash. */
export type ArchiveEntries = ReadonlyMap<string, Uint8Array>;

/** A name that would set the prototype of the object in which the library keeps entries. */
const PROTOTYPE = '__proto__';
/** Another name for the same path, under which such an entry is packed. */
const SAME_PATH = `./${PROTOTYPE}`;

/** The longest name that a zip can have, in bytes. */
const ZIP_NAME_MAX_BYTES = 65_535;

/** Smaller entries are stored as they are: compressing one saves nothing, and takes 15 times as long as storing it. */
const COMPRESSED_MIN_BYTES = 100;

/**
 * Packs entries into a zip, in their order, and returns its bytes. Throws `ArchiveError` if there are too many for a zip, or
 * if a name is too long.
 */
export function writeZip(entries: ArchiveEntries): Uint8Array {
  // Beyond, the library would write fewer than there are.
  if (entries.size > ZIP_ENTRIES_MAX) throw new ArchiveError({ type: 'too-many', limit: ZIP_ENTRIES_MAX });
  for (const name of entries.keys())
    if (name.length * 3 > ZIP_NAME_MAX_BYTES && new TextEncoder().encode(name).byteLength > ZIP_NAME_MAX_BYTES)
      throw new ArchiveError({ type: 'bad-path', path: `${name.slice(0, 200)}…` });
  const named = Array.from(entries, ([name, data]) => {
    const file = data.byteLength < COMPRESSED_MIN_BYTES ? ([data, { level: 0 }] as const) : data;
    return [name === PROTOTYPE ? SAME_PATH : name, file] as const;
  });
  return zipSync(Object.fromEntries(named) as Zippable, { level: 6 });
}

/**
 * Unpacks a zip that the studio has written, all of it or nothing. Throws `ArchiveError` if it is broken or, before anything is
 * unpacked, if it exceeds a limit.
 */
export function readStudioZip(data: Uint8Array, limits: ArchiveLimits): ArchiveEntries {
  try {
    checkSize(data, limits);
    const found = unzipSync(data);
    const entries = new Map(
      Object.entries(found).map(([name, content]) => [name === SAME_PATH ? PROTOTYPE : name, content]),
    );
    const prototype: unknown = Object.getPrototypeOf(found);
    if (prototype instanceof Uint8Array) entries.set(PROTOTYPE, new Uint8Array(prototype));
    return entries;
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError({ type: 'broken', detail: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Throws `ArchiveError` if a zip exceeds a limit, by its central directory only. An entry larger than stated there is truncated
 * when it is unpacked.
 */
function checkSize(data: Uint8Array, { maxBytes, maxEntries }: ArchiveLimits): void {
  let bytes = 0;
  let entries = 0;
  unzipSync(data, {
    filter({ originalSize, size, compression }) {
      // An uncompressed entry has its actual size, whatever the directory says.
      bytes += compression === 0 ? Math.max(size, originalSize) : originalSize;
      if (++entries > maxEntries) throw new ArchiveError({ type: 'too-many', limit: maxEntries });
      if (bytes > maxBytes) throw new ArchiveError({ type: 'too-large-unpacked', limit: maxBytes / 1_000_000 });
      return false;
    },
  });
}

import { unzipSync, zipSync } from 'fflate';
import { ArchiveError } from './archive-error.ts';

export interface ArchiveLimits {
  /** The most that it may hold when unpacked, in bytes. */
  maxBytes: number;
  maxEntries: number;
}

/** Bytes by name. The name of a folder ends with a slash. */
export type ArchiveEntries = ReadonlyMap<string, Uint8Array>;

export function writeZip(entries: ArchiveEntries): Uint8Array {
  return zipSync(Object.fromEntries(entries), { level: 6 });
}

/** Unpacks a zip. Throws `ArchiveError`, before anything is unpacked where that would be too much. */
export function readZip(data: Uint8Array, limits: ArchiveLimits): ArchiveEntries {
  try {
    checkSize(data, limits);
    return new Map(Object.entries(unzipSync(data)));
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError({ type: 'broken', detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Reads only the list of what is in it. An entry that is larger than the list says is cut when it is unpacked. */
function checkSize(data: Uint8Array, { maxBytes, maxEntries }: ArchiveLimits): void {
  let bytes = 0;
  let entries = 0;
  unzipSync(data, {
    filter({ originalSize, size, compression }) {
      // What is only stored is as large as it is, whatever the list says.
      bytes += compression === 0 ? Math.max(size, originalSize) : originalSize;
      if (++entries > maxEntries) throw new ArchiveError({ type: 'too-many', limit: maxEntries });
      if (bytes > maxBytes) throw new ArchiveError({ type: 'too-large-unpacked', limit: maxBytes / 1_000_000 });
      return false;
    },
  });
}

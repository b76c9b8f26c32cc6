import { BLOB_MIN_BYTES } from '../limits.ts';

/** A pack or a large content as the database has it. */
export type StoredBytes = Uint8Array | Blob;

/**
 * Large bytes in the form in which this browser keeps them best. Chromium makes a file of every value above 64 KB; of a
 * `Blob` it is the same file, which is read in half the time. WebKit has refused blobs, or lost them, so everywhere else
 * bytes stay bytes.
 */
export function toStored(data: Uint8Array): StoredBytes {
  if (data.byteLength < BLOB_MIN_BYTES || !('userAgentData' in navigator)) return data;
  return new Blob([data as Uint8Array<ArrayBuffer>]);
}

export const sizeOf = (stored: StoredBytes): number => (stored instanceof Blob ? stored.size : stored.byteLength);

export const bytesOf = async (stored: StoredBytes): Promise<Uint8Array> =>
  stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : stored;

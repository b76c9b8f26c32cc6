import { BLOB_MIN_BYTES } from '../limits.ts';

/** A pack or a large content as it is stored in the database. */
export type StoredBytes = Uint8Array | Blob;

/**
 * Converts large bytes to the form that this browser stores best. Chromium writes every value above 64 KB to a file;
 * for a `Blob`, reading that file takes half the time. WebKit has rejected or lost blobs in the past, so all other
 * browsers store plain bytes. Bytes of less than `BLOB_MIN_BYTES` stay as they are.
 */
export function toStored(data: Uint8Array): StoredBytes {
  if (data.byteLength < BLOB_MIN_BYTES || !('userAgentData' in navigator)) return data;
  return new Blob([data as Uint8Array<ArrayBuffer>]);
}

/** Returns the size of stored bytes in bytes, without reading them. */
export const sizeOf = (stored: StoredBytes): number => (stored instanceof Blob ? stored.size : stored.byteLength);

/** Reads stored bytes. Rejects with a DOMException if a `Blob` can no longer be read. */
export const bytesOf = async (stored: StoredBytes): Promise<Uint8Array> =>
  stored instanceof Blob ? new Uint8Array(await stored.arrayBuffer()) : stored;

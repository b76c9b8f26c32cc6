/** The contents to read, in columns: posting a thousand objects would take longer than their contents. */
export interface WantedBlobs {
  blobs: Float64Array;
  sizes: Float64Array;
}

/** Contents in the order of the request: the small ones in one buffer, the others each in its own. */
export interface ReadBlobs {
  together: Uint8Array;
  alone: readonly Uint8Array[];
}

const SHARED_MAX_BYTES = 16 * 1024;

/** Checks whether a content of `bytes` bytes, one of `count` in the message, goes into the shared buffer. */
export const sharesBuffer = (bytes: number, count: number): boolean => count > 1 && bytes <= SHARED_MAX_BYTES;

/** Splits contents into separate buffers, so that keeping one does not keep them all alive. */
export function separate({ sizes }: WantedBlobs, { together, alone }: ReadBlobs): Uint8Array[] {
  let offset = 0;
  let next = 0;
  return Array.from(sizes, (size) => {
    if (!sharesBuffer(size, sizes.length)) return alone[next++] ?? new Uint8Array();
    offset += size;
    return together.slice(offset - size, offset);
  });
}

/** What is read, in columns: a thousand objects would take longer to post than their contents. */
export interface WantedBlobs {
  blobs: Float64Array;
  sizes: Float64Array;
}

/** Contents in the order they were asked for: the small ones in one buffer, the others each in its own. */
export interface ReadBlobs {
  together: Uint8Array;
  alone: readonly Uint8Array[];
}

const SHARED_MAX_BYTES = 16 * 1024;

/** Whether a content of so many bytes, one of so many, crosses in the shared buffer. */
export const sharesBuffer = (bytes: number, count: number): boolean => count > 1 && bytes <= SHARED_MAX_BYTES;

/** The contents, one by one, each in a buffer of its own: what is kept of one must not keep all of them. */
export function separate({ sizes }: WantedBlobs, { together, alone }: ReadBlobs): Uint8Array[] {
  let offset = 0;
  let next = 0;
  return Array.from(sizes, (size) => {
    if (!sharesBuffer(size, sizes.length)) return alone[next++] ?? new Uint8Array();
    offset += size;
    return together.slice(offset - size, offset);
  });
}

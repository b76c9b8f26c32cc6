/**
 * The file contents that a `RemoteStorage` requests from a `WorkspaceHost`: their ids in `blobs`, and their sizes in bytes in
 * `sizes`, in the same order. Two arrays are sent much faster than a thousand objects.
 */
export interface WantedBlobs {
  blobs: Float64Array;
  sizes: Float64Array;
}

/**
 * The contents that `WantedBlobs` requests, in its order: small ones one after the other in `together`, each larger one, or the
 * only one, as an item of `alone`.
 */
export interface ReadBlobs {
  together: Uint8Array;
  alone: readonly Uint8Array[];
}

const SHARED_MAX_BYTES = 16 * 1024;

/**
 * Checks whether a content of `bytes` bytes goes into `together` of `ReadBlobs`, if the message has `count` contents: whether
 * it is small, and not the only one.
 */
export const sharesBuffer = (bytes: number, count: number): boolean => count > 1 && bytes <= SHARED_MAX_BYTES;

/**
 * Splits the answer to a request into its contents, in the order of the request. Each gets a buffer of its own: a small one
 * that is kept must not keep all others in memory.
 */
export function splitReadBlobs({ sizes }: WantedBlobs, { together, alone }: ReadBlobs): Uint8Array[] {
  let offset = 0;
  let next = 0;
  return Array.from(sizes, (size) => {
    if (!sharesBuffer(size, sizes.length)) return alone[next++] ?? new Uint8Array();
    offset += size;
    return together.slice(offset - size, offset);
  });
}

/** A body, or its beginning. */
interface BoundedBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether the body is longer than `bytes`, which are then only its beginning. */
  isCut: boolean;
}

/**
 * Reads at most `maxBytes` of a body, and cancels the rest; `isCut` of the result says whether there was more. A missing body
 * gives no bytes. Rejects if the body breaks off.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null | undefined,
  maxBytes: number,
): Promise<BoundedBody> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  while (reader !== undefined && !isCut) {
    const { done, value } = await reader.read();
    if (done) break;
    const room = maxBytes - size;
    isCut = value.byteLength > room;
    chunks.push(isCut ? value.subarray(0, room) : value);
    size += Math.min(value.byteLength, room);
  }
  // Nobody reads the rest.
  if (isCut) reader?.cancel().catch(() => undefined);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return { bytes, isCut };
}

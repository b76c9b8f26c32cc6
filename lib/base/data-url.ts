/**
 * The number of bytes that `toBase64` passes as arguments to one call of `String.fromCharCode`, which takes only a limited
 * number.
 */
const CHUNK_BYTES = 0x8000;

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    // With a spread, each byte would go through an iterator, which takes five times as long.
    binary += Reflect.apply(String.fromCharCode, undefined, chunk);
  }
  return btoa(binary);
}

/** Encodes bytes as a base64 data: URL (RFC 2397). */
export const dataUrl = (mediaType: string, bytes: Uint8Array): string => `data:${mediaType};base64,${toBase64(bytes)}`;

/** Returns the part after the comma of a data: URL: base64, or percent-encoded text. */
export const dataUrlPayload = (url: string): string => url.slice(url.indexOf(',') + 1);

/** The media type that a data: URL states; undefined if it states none. */
export const mediaTypeOf = (url: string): string | undefined => /^data:([^;,]+)/.exec(url)?.[1];

/**
 * The bytes of a base64 data: URL. Decodes the URL itself, because a page with a strict policy may not `fetch` it. Throws for
 * invalid base64.
 */
export function bytesOfDataUrl(url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(dataUrlPayload(url));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/**
 * Decodes the content of a data: URL, in base64 or percent-encoded, as UTF-8 text. A "%" that begins no valid escape stays as
 * it is; bytes that are not UTF-8 become U+FFFD. Throws for invalid base64.
 */
export function textOfDataUrl(url: string): string {
  if (/^data:[^,]*;base64,/.test(url)) return new TextDecoder().decode(bytesOfDataUrl(url));
  return dataUrlPayload(url).replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))),
  );
}

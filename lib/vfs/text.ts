/** Decodes bytes as UTF-8 and keeps a byte order mark; undefined if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a file, or else its bytes; null where there is no file. */
export const textOrBytes = (bytes: Uint8Array | null): string | Uint8Array | null =>
  bytes === null ? null : (decodeUtf8(bytes) ?? bytes);

/** Decodes bytes as UTF-8 and keeps a byte order mark; undefined if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A file's bytes as text, or the bytes themselves if they are not UTF-8; null for null, which stands for no file. */
export const textOrBytes = (bytes: Uint8Array | null): string | Uint8Array | null =>
  bytes === null ? null : (decodeUtf8(bytes) ?? bytes);

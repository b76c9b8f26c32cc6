import { lookup } from 'mrmime';

/** How many bytes can be passed as arguments of one call. */
const CHUNK_BYTES = 0x8000;

/** A file's contents as a data URL, with the type that its name implies. */
export function dataUrl(path: string, contents: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < contents.length; start += CHUNK_BYTES)
    binary += String.fromCharCode(...contents.subarray(start, start + CHUNK_BYTES));
  return `data:${lookup(path) ?? 'application/octet-stream'};base64,${btoa(binary)}`;
}

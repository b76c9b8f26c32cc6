import { lookup } from 'mrmime';

/** As many bytes at a time as may be arguments of one call. */
const CHUNK_BYTES = 0x8000;

/** A file's contents as an address of their own, with the type that its name says. */
export function dataUrl(path: string, contents: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < contents.length; start += CHUNK_BYTES)
    binary += String.fromCharCode(...contents.subarray(start, start + CHUNK_BYTES));
  return `data:${lookup(path) ?? 'application/octet-stream'};base64,${btoa(binary)}`;
}

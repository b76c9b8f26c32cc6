import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { readParts } from '../read-parts.ts';
import { RtfReader } from './rtf-reader.ts';

/** The bytes that become characters at once. */
const SLICE_BYTES = 32_768;

/** Reads an RTF document. Its objects and fields do nothing. Rejects with `UnreadableDocument`. */
export async function readRtf(data: Uint8Array): Promise<DocumentText> {
  const slices: string[] = [];
  for (let at = 0; at < data.byteLength; at += SLICE_BYTES)
    slices.push(String.fromCharCode(...data.subarray(at, at + SLICE_BYTES)));
  const text = new RtfReader(slices.join('')).read();
  return readParts({ unit: 'text', count: 1 }, undefined, () => ({ label: 'Text', text }));
}

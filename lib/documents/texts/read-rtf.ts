import type { DocumentText } from '#lib/tools/capabilities/documents.ts';
import { RtfReader } from './rtf-reader.ts';
import { textInPieces } from './text-in-pieces.ts';

/** The bytes that become characters at once. */
const SLICE_BYTES = 32_768;

/**
 * Reads the text of an RTF document; embedded objects and the instructions of fields are left out. `pages`: the number of the
 * piece to read of a long text (see `textInPieces`). Rejects with `UnreadableDocument` if there is no such piece, or the file
 * is nested too deeply.
 */
export async function readRtf(data: Uint8Array, pages: string | undefined): Promise<DocumentText> {
  const slices: string[] = [];
  for (let at = 0; at < data.byteLength; at += SLICE_BYTES)
    slices.push(String.fromCharCode(...data.subarray(at, at + SLICE_BYTES)));
  return textInPieces(pages, (length) => new RtfReader(slices.join(''), length).read());
}

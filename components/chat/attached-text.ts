import { readText } from '#lib/vfs/text-form.ts';

/** Checks whether bytes are a PDF, whose source may be ASCII. */
const isPdf = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes.subarray(0, 5)) === '%PDF-';

/** The text of a file; undefined if it is none. */
export async function attachedText(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const read = isPdf(bytes) ? undefined : await readText(bytes);
  return read?.text.includes('\0') ? undefined : read?.text;
}

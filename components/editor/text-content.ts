import { FileSystemError } from '#lib/vfs/errors.ts';
import { textFromBytes, type WrittenText } from '#lib/vfs/text-form.ts';
import type { ComparedContent } from '#studio/editing/editor-tabs.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

/** Decodes a file's bytes to its text and encoding; undefined if they are not text. */
export async function decodeText(bytes: Uint8Array): Promise<WrittenText | undefined> {
  const read = await textFromBytes(bytes);
  // Half of the bytes of UTF-16 may be zeros.
  return read?.form.encoding.startsWith('utf-16') || !bytes.includes(0) ? read : undefined;
}

/**
 * Returns the text of a file in one of the two states that are compared. `content`: the current file, a content from the
 * history, or null if there was no file, whose text is empty. Undefined if the file is binary.
 */
export async function comparedText(
  { fileSystem, history }: OpenedWorkspace,
  path: string,
  content: ComparedContent,
): Promise<string | undefined> {
  if (content === null) return '';
  if (content !== 'current') return (await decodeText(await history.read(content, path)))?.text;
  try {
    return (await decodeText(await fileSystem.readFile(path)))?.text;
  } catch (error) {
    if (error instanceof FileSystemError && ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(error.code)) return '';
    throw error;
  }
}

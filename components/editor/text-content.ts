import { FileSystemError } from '#lib/vfs/errors.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { ComparedContent } from '#studio/editing/editor-tabs.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

/** Decodes a file's bytes; undefined if they are not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : decodeUtf8(bytes);
}

/** One side of a comparison as text; undefined if it is binary. A missing file is empty. */
export async function comparedText(
  { fileSystem, history }: OpenedWorkspace,
  path: string,
  content: ComparedContent,
): Promise<string | undefined> {
  if (content === null) return '';
  if (content !== 'current') return decodeText(await history.read(content, path));
  try {
    return decodeText(await fileSystem.readFile(path));
  } catch (error) {
    if (error instanceof FileSystemError && ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(error.code)) return '';
    throw error;
  }
}

import { sha256 } from '#lib/base/sha256.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';

/**
 * Returns the SHA-256 of a file's path and text, which identifies exactly this text at this path. A person who allows the file
 * allows nothing else.
 */
export const contentHash = (path: string, text: string): Promise<string> => sha256(`${path}\n${text}`);

/** Checks whether a file still has the path and text of which `name` is the `contentHash`. False if it cannot be read. */
export async function hasContent(
  fileSystem: Pick<FileSystem, 'readFile'>,
  path: string,
  name: string,
): Promise<boolean> {
  const bytes = await fileSystem.readFile(path).catch(() => undefined);
  const text = bytes && decodeUtf8(bytes);
  return text !== undefined && (await contentHash(path, text)) === name;
}

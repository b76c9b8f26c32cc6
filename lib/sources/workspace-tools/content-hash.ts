import { sha256 } from '#lib/base/sha256.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';

/**
 * Returns the SHA-256 of a file's path and text, which identifies exactly this text at this path. A person who allows the file
 * allows nothing else.
 */
export const contentHash = (path: string, text: string): Promise<string> => sha256(`${path}\n${text}`);

/**
 * Checks whether the `contentHash` of the file at `path` is still `name`, so that its text has not changed. False if the file
 * cannot be read.
 */
export async function hasContent(
  fileSystem: Pick<FileSystem, 'readFile'>,
  path: string,
  name: string,
): Promise<boolean> {
  const bytes = await fileSystem.readFile(path).catch(() => undefined);
  const text = bytes && decodeUtf8(bytes);
  return text !== undefined && (await contentHash(path, text)) === name;
}

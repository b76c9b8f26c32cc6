import { sha256 } from '#lib/base/sha256.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';

/** Names a content at a path: whoever has allowed it has allowed nothing else. */
export const contentName = (path: string, text: string): Promise<string> => sha256(`${path}\n${text}`);

/** Checks whether a file has this content now. A file that cannot be read does not. */
export async function hasContent(
  fileSystem: Pick<FileSystem, 'readFile'>,
  path: string,
  name: string,
): Promise<boolean> {
  const bytes = await fileSystem.readFile(path).catch(() => undefined);
  const text = bytes && decodeUtf8(bytes);
  return text !== undefined && (await contentName(path, text)) === name;
}

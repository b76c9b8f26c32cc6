import { formatOfName } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES } from '#lib/tools/files/notebook.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { ATTACHMENT_MAX_BYTES, MENTION_MAX_BYTES } from './attachment-limits.ts';

/** The media types of pictures that models see, by the ends of their names. */
const PICTURES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
]);

const pictureType = (path: string): string | undefined => PICTURES.get(/[^.]*$/.exec(path)?.[0].toLowerCase() ?? '');

const paths = new WeakMap<File, string>();

/** The path of a file that is in the workspace already; undefined for any other attached file. */
export const workspacePathOf = (file: File): string | undefined => paths.get(file);

/**
 * A file of the workspace for the message that refers to it: a document, a picture, or a short text. Rejects with
 * `FileSystemError` if it is larger than what is attached: then it is only referred to.
 */
export async function workspaceFile(fileSystem: FileSystem, path: string): Promise<File> {
  const bytes = await fileSystem.readFile(path, { maxBytes: maxBytesOf(path) });
  const file = new File([Uint8Array.from(bytes)], path, { type: pictureType(path) ?? '' });
  paths.set(file, path);
  return file;
}

function maxBytesOf(path: string): number {
  if (isNotebook(path)) return NOTEBOOK_MAX_BYTES;
  if (formatOfName(path) !== undefined) return DOCUMENT_LIMITS.bytes;
  return pictureType(path) === undefined ? MENTION_MAX_BYTES : ATTACHMENT_MAX_BYTES;
}

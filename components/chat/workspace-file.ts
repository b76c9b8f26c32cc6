import { imageType } from '#components/hooks/use-file-blob.ts';
import { formatOfName } from '#lib/tools/documents/document-type.ts';
import { DOCUMENT_LIMITS } from '#lib/tools/documents/limits.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES } from '#lib/tools/files/notebook.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { ATTACHMENT_MAX_BYTES, MENTION_MAX_BYTES } from './attachment-limits.ts';

const paths = new WeakMap<File, string>();

/** Returns the path from which `workspaceFile` has read a file; undefined for any other file. */
export const workspacePathOf = (file: File): string | undefined => paths.get(file);

/**
 * Reads a file of the workspace to attach it to the message that refers to it. Rejects with `FileSystemError` if it cannot
 * be read or is larger than what is attached of its kind: a document, a picture, or a text.
 */
export async function workspaceFile(fileSystem: FileSystem, path: string): Promise<File> {
  const bytes = await fileSystem.readFile(path, { maxBytes: maxBytesOf(path) });
  const file = new File([bytes as Uint8Array<ArrayBuffer>], path, { type: imageType(path) ?? '' });
  paths.set(file, path);
  return file;
}

function maxBytesOf(path: string): number {
  if (isNotebook(path)) return NOTEBOOK_MAX_BYTES;
  if (formatOfName(path) !== undefined) return DOCUMENT_LIMITS.bytes;
  const type = imageType(path);
  // An SVG is attached as text.
  return type === undefined || type === 'image/svg+xml' ? MENTION_MAX_BYTES : ATTACHMENT_MAX_BYTES;
}

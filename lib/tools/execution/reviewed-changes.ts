import { sha256 } from '#lib/base/sha256.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { Author, FileSystem, FileSystemReader } from '#lib/vfs/file-system.ts';
import { ToolFailure, type ToolOutput } from '../core/tool-call.ts';

/** A file as the user wants it after a review of what a call would write. */
interface ReviewedFile {
  path: string;
  /** `sha256` of the content that it was reviewed against; null if there was no file. */
  base: string | null;
  /** The whole content to be written; null if the file is to be deleted, or not to be created. */
  content: string | Uint8Array | null;
}

/** The result of the user's review of what a call would write: the files as the user wants them. */
export interface ReviewedChanges {
  files: readonly ReviewedFile[];
  /** For the model: what was kept, edited, and rejected. */
  summary: string;
}

/**
 * Writes what the user has accepted in place of what the call would have written: all files in one commit of the call. The
 * model does not know these contents, so the commit's author has `isReviewed`. Resolves with `summary` as the call's output.
 * Rejects with `ToolFailure` if a file has changed since it was reviewed; then nothing is written.
 */
export async function writeReviewed(
  { files, summary }: ReviewedChanges,
  { files: fileSystem, author }: { files: FileSystem; author: Author },
): Promise<ToolOutput> {
  const reviewed: Author = author.type === 'call' ? { ...author, isReviewed: true } : author;
  await fileSystem.transaction(reviewed, async (tx) => {
    for (const { path, base, content } of files) {
      const before = await contentAt(tx, path);
      if ((before === null ? null : await sha256(before)) !== base)
        throw new ToolFailure(
          'failed',
          `Nothing was written: ${path} has changed since the user reviewed this call. Read it again, and call again.`,
        );
      if (content !== null)
        tx.writeFile(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
      else if (before !== null) tx.rm(path);
    }
  });
  return { content: summary, data: { reviewed: files.map(({ path }) => path) } };
}

async function contentAt(files: FileSystemReader, path: string): Promise<Uint8Array | null> {
  try {
    return await files.readFile(path, { isBrief: true });
  } catch (error) {
    if (error instanceof FileSystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

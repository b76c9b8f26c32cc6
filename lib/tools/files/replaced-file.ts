import { sha256 } from '#lib/base/sha256.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { ToolFailure } from '../core/tool-call.ts';
import type { KnownFiles } from '../execution/known-files.ts';

/**
 * Returns the failure of a move or a copy that would replace the file at `path`, if that file is not empty and the model does
 * not know its current content. Undefined if it may be replaced. Nothing is changed.
 */
export async function unknownReplaced(
  tx: FileSystemReader,
  path: string,
  known: KnownFiles,
): Promise<ToolFailure | undefined> {
  const data = await tx.readFile(path, { isBrief: true }).catch((error: unknown) => {
    // There is no file to replace, or it is a directory, which the transfer itself deals with.
    if (error instanceof FileSystemError) return new Uint8Array();
    throw error;
  });
  if (data.byteLength === 0 || known.hashOf(path) === (await sha256(data))) return undefined;
  return new ToolFailure(
    'failed',
    `Nothing was changed. ${path} exists, and you have not read or written its current content. ` +
      'Read it with read_file first, or delete it if you want to replace it.',
  );
}

import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem, FileSystemReader, FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { ToolContext } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import type { KnownFiles } from '../execution/known-files.ts';

/** The schema of the arguments of `move_path` and `copy_path`: the paths `from` and `to`, as a model writes them. */
export const transferSchema = z.object({
  from: z.string().min(1, 'must not be empty').describe('Current absolute path; the workspace root is "/".'),
  to: z
    .string()
    .min(1, 'must not be empty')
    .describe(
      'New path, including the name. Missing parent directories are created; an existing file is replaced if you have read or written its current content.',
    ),
});

/** The paths of a move or a copy: absolute, without `.` and `..`. */
interface Transfer {
  from: string;
  to: string;
}

/**
 * Moves or copies a file or a directory: `change` does that in a transaction. Resolves with the absolute paths. Rejects with
 * `FileSystemError`, or with `ToolFailure` if a file would be replaced whose current content the model has not read or
 * written; then nothing is changed.
 */
export async function transfer(
  paths: z.infer<typeof transferSchema>,
  { files, author, known }: Pick<ToolContext, 'author' | 'known'> & { files: FileSystem },
  change: (tx: FileSystemTransaction, paths: Transfer) => void,
): Promise<Transfer> {
  const [from, to] = [resolvePath(paths.from), resolvePath(paths.to)];
  await files.transaction(author, async (tx) => {
    const failure = from === to ? undefined : await unknownReplaced(tx, to, known);
    change(tx, { from, to });
    // Thrown here, it takes the transaction back; a transfer that is not possible has told its own reason before.
    if (failure !== undefined) throw failure;
  });
  return { from, to };
}

/**
 * Returns the failure of a move or a copy that would replace the file at `path`, if that file is not empty and the model does
 * not know its current content. Undefined if it may be replaced. Nothing is changed.
 */
async function unknownReplaced(
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

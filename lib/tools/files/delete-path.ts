import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';

/**
 * The tool `delete_path`, which deletes a file or a directory; a directory that is not empty only with `recursive`. Fails with
 * `FileSystemError` ENOENT or ENOTEMPTY.
 */
export const deletePath = defineTool({
  name: 'delete_path',
  description:
    'Deletes a file in the workspace, or with "recursive" a directory and everything in it. The user can restore it ' +
    'from the history. Fails if the path does not exist, or, without "recursive", if it is a non-empty directory. Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('Absolute path to delete; the workspace root is "/".'),
    recursive: z.boolean().default(false).describe('Whether to delete a directory with everything in it.'),
  }),
  needs: ['files'],
  presentation: { verb: 'delete', target: 'path', names: ['path', 'recursive'] },
  aliases: ['rm', 'delete_file', 'remove_file'],
  examples: [
    { description: 'Delete a draft', input: { path: '/docs/old.md' }, result: 'Success: /docs/old.md was deleted.' },
  ],
  touches: ({ path }) => [{ path, effects: ['write'], isDeep: true }],
  async execute({ path, recursive }, { files: fileSystem, author }) {
    const resolved = resolvePath(path);
    await fileSystem.transaction(author, async (tx) => tx.rm(resolved, { recursive }));
    return { content: `Success: ${resolved} was deleted.`, data: { path: resolved } };
  },
});

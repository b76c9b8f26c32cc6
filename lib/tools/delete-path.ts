import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from './tool.ts';

export const deletePath = defineTool({
  name: 'delete_path',
  description:
    'Deletes a file of the workspace, or with "recursive" a directory with everything in it. The person can bring it back ' +
    'from the history. Fails if nothing is there, or if a directory has something in it. Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('What to delete, absolute from the workspace root "/".'),
    recursive: z.boolean().default(false).describe('Whether a directory goes with everything in it.'),
  }),
  primaryArgument: 'path',
  question: { verb: 'delete', names: ['path', 'recursive'] },
  aliases: ['rm', 'delete_file', 'remove_file'],
  examples: [
    { description: 'Delete a draft', input: { path: '/docs/old.md' }, result: 'Success: /docs/old.md is deleted.' },
  ],
  async execute({ path, recursive }, { fileSystem, author }) {
    const resolved = resolvePath(path);
    await fileSystem.transaction(author, async (tx) => tx.rm(resolved, { recursive }));
    return { content: `Success: ${resolved} is deleted.`, data: { path: resolved } };
  },
});

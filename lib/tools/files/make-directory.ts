import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';

/**
 * Creates a directory with its parents; one that is there already is no error. Fails with `FileSystemError` if a file is
 * in the way.
 */
export const makeDirectory = defineTool({
  name: 'make_directory',
  description:
    'Creates a directory in the workspace. Missing parents are created too. Succeeds if it already exists. Fails if a file is in the way. ' +
    'Not needed before write_file, which creates parent directories itself. Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z
      .string()
      .min(1, 'must not be empty')
      .describe('Absolute path of the directory to create; the workspace root is "/".'),
  }),
  needs: ['files'],
  presentation: { verb: 'make-directory', target: 'path', names: ['path'] },
  aliases: ['mkdir'],
  examples: [{ description: 'Create a directory for images', input: { path: '/assets/images' }, result: 'Success' }],
  touches: ({ path }) => [{ path, effects: ['write'] }],
  async execute({ path }, { files: fileSystem, author }) {
    const resolved = resolvePath(path);
    await fileSystem.transaction(author, async (tx) => tx.mkdir(resolved));
    return { content: 'Success', data: { path: resolved } };
  },
});

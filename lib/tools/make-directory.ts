import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from './tool.ts';

export const makeDirectory = defineTool({
  name: 'make_directory',
  description:
    'Makes a directory of the workspace with its parents. One that is there already is fine. Fails if a file is in the way. ' +
    'Not needed before write_file, which makes parents itself. Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('Directory to make, absolute from the workspace root "/".'),
  }),
  primaryArgument: 'path',
  question: { verb: 'make-directory', names: ['path'] },
  aliases: ['mkdir'],
  examples: [{ description: 'Make a place for images', input: { path: '/assets/images' }, result: 'Success' }],
  async execute({ path }, { fileSystem, author }) {
    const resolved = resolvePath(path);
    await fileSystem.transaction(author, async (tx) => tx.mkdir(resolved));
    return { content: 'Success', data: { path: resolved } };
  },
});

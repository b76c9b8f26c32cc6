import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from './tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a text file to the workspace, whole: a new file is created with its parent directories, an existing one is replaced. ' +
    'The write is atomic: either all of it is there afterwards or nothing has changed. Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('File to write, absolute from the workspace root "/".'),
    content: z.string().describe('The complete new content of the file.'),
  }),
  primaryArgument: 'path',
  examples: [
    {
      description: 'Write a note',
      input: { path: '/docs/todo.md', content: '- water the plants\n' },
      result: 'Success',
    },
  ],
  touchedPaths: ({ path }) => [path],
  async execute({ path, content }, { fileSystem, toolCallId }) {
    const resolved = resolvePath(path);
    const data = new TextEncoder().encode(content);
    await fileSystem.transaction({ type: 'call', toolCallId }, async (tx) => tx.writeFile(resolved, data));
    return { content: 'Success', data: { path: resolved, size: data.byteLength } };
  },
});

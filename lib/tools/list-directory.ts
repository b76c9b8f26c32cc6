import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from './tool.ts';

export const listDirectory = defineTool({
  name: 'list_directory',
  description:
    'Lists the entries of a directory of the workspace, one name per line, directories with a trailing "/". ' +
    'Fails if the path does not exist or is a file.',
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    path: z.string().default('/').describe('Directory to list, absolute from the workspace root "/".'),
  }),
  primaryArgument: 'path',
  examples: [{ description: 'See what is in /docs', input: { path: '/docs' }, result: 'drafts/\nintro.md' }],
  touchedPaths: ({ path }) => [path],
  async execute({ path }, { fileSystem }) {
    const entries = await fileSystem.readdir(resolvePath(path));
    const lines = entries.map(({ name, type }) => (type === 'directory' ? `${name}/` : name));
    return { content: lines.length === 0 ? '(empty directory)' : lines.join('\n'), data: { entries } };
  },
});

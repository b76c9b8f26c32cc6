import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from './tool.ts';

/** Where something is and where it goes, as a model writes it. */
export const transferSchema = z.object({
  from: z.string().min(1, 'must not be empty').describe('What to take, absolute from the workspace root "/".'),
  to: z
    .string()
    .min(1, 'must not be empty')
    .describe('Its new path, name included. Missing parents are made; a file that is there is replaced.'),
});

export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a whole directory of the workspace. Fails, and changes nothing, if there is nothing at ' +
    '"from", or if "to" is a directory with something in it, or lies inside of "from". Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: transferSchema,
  primaryArgument: 'from',
  question: { verb: 'move', names: ['from', 'to'] },
  aliases: ['mv'],
  examples: [
    {
      description: 'Rename a note',
      input: { from: '/docs/intro.md', to: '/docs/start.md' },
      result: 'Success: /docs/intro.md is now /docs/start.md.',
    },
  ],
  async execute({ from, to }, { fileSystem, author }) {
    const [source, target] = [resolvePath(from), resolvePath(to)];
    await fileSystem.transaction(author, async (tx) => tx.rename(source, target));
    return { content: `Success: ${source} is now ${target}.`, data: { from: source, to: target } };
  },
});

import { defineTool } from '../core/tool.ts';
import { transfer, transferSchema } from './transfer.ts';

/**
 * Moves or renames a file, or a directory with everything in it. Fails with `FileSystemError`, or as `failed` if it would
 * replace a file whose current content the model has not read or written; then nothing is changed.
 */
export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a whole directory in the workspace. Fails, and changes nothing, if "from" does not ' +
    'exist, or if "to" is a non-empty directory or is inside "from". Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: transferSchema,
  needs: ['files'],
  presentation: { verb: 'move', target: 'from', names: ['from', 'to'] },
  aliases: ['mv'],
  examples: [
    {
      description: 'Rename a note',
      input: { from: '/docs/intro.md', to: '/docs/start.md' },
      result: 'Success: /docs/intro.md is now /docs/start.md.',
    },
  ],
  touches: ({ from, to }) => [
    { path: from, effects: ['read', 'write'], isDeep: true },
    { path: to, effects: ['write'], isDeep: true, contentsOf: from },
  ],
  async execute(input, context) {
    const paths = await transfer(input, context, (tx, { from, to }) => tx.rename(from, to));
    return { content: `Success: ${paths.from} is now ${paths.to}.`, data: paths };
  },
});

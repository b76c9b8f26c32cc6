import { defineTool } from '../core/tool.ts';
import { transfer, transferSchema } from './transfer.ts';

/**
 * Copies a file, or a directory with everything in it. Fails with `FileSystemError`, or as `failed` if it would replace a
 * file whose current content the model has not read or written; then nothing is changed.
 */
export const copyPath = defineTool({
  name: 'copy_path',
  description:
    'Copies a file or a whole directory in the workspace. Fails, and changes nothing, if "from" does not exist, or if ' +
    '"to" is a non-empty directory or is inside "from". Returns "Success".',
  toolset: 'files',
  effect: 'write',
  inputSchema: transferSchema,
  needs: ['files'],
  presentation: { verb: 'copy', target: 'from', names: ['from', 'to'] },
  aliases: ['cp'],
  examples: [
    {
      description: 'Keep a copy of a note',
      input: { from: '/docs/intro.md', to: '/docs/intro.old.md' },
      result: 'Success: /docs/intro.old.md is a copy of /docs/intro.md.',
    },
  ],
  touches: ({ from, to }) => [
    { path: from, effects: ['read'], isDeep: true },
    { path: to, effects: ['write'], isDeep: true, contentsOf: from },
  ],
  async execute(input, context) {
    const paths = await transfer(input, context, (tx, { from, to }) => tx.copy(from, to));
    return { content: `Success: ${paths.to} is a copy of ${paths.from}.`, data: paths };
  },
});

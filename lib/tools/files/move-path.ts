import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';
import { unknownReplaced } from './replaced-file.ts';

/** The source and the target of a move or a copy, as a model writes them. */
export const transferSchema = z.object({
  from: z.string().min(1, 'must not be empty').describe('Current absolute path; the workspace root is "/".'),
  to: z
    .string()
    .min(1, 'must not be empty')
    .describe(
      'New path, including the name. Missing parent directories are created; an existing file is replaced if you have read or written its current content.',
    ),
});

/**
 * Moves or renames an entry with everything below it. Fails with `FileSystemError`, or as `failed` if it would replace a file
 * whose content the model does not know; then nothing is changed.
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
  async execute({ from, to }, { files: fileSystem, author, known }) {
    const [source, target] = [resolvePath(from), resolvePath(to)];
    await fileSystem.transaction(author, async (tx) => {
      const failure = source === target ? undefined : await unknownReplaced(tx, target, known);
      tx.rename(source, target);
      // Thrown here, it takes the transaction back; a transfer that is not possible has told its own reason before.
      if (failure !== undefined) throw failure;
    });
    return { content: `Success: ${source} is now ${target}.`, data: { from: source, to: target } };
  },
});

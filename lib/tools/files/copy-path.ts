import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';
import { transferSchema } from './move-path.ts';
import { unknownReplaced } from './replaced-file.ts';

/** Copies an entry with everything below it. Fails with the errors of `movePath`. */
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
  async execute({ from, to }, { files: fileSystem, author, known }) {
    const [source, target] = [resolvePath(from), resolvePath(to)];
    await fileSystem.transaction(author, async (tx) => {
      const failure = source === target ? undefined : await unknownReplaced(tx, target, known);
      tx.copy(source, target);
      // Thrown here, it takes the transaction back; a transfer that is not possible has told its own reason before.
      if (failure !== undefined) throw failure;
    });
    return { content: `Success: ${target} is a copy of ${source}.`, data: { from: source, to: target } };
  },
});

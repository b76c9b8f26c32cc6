import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { editSchema } from './edit-file.ts';
import { editText } from './edit-text.ts';
import { describeChange } from './edits.ts';
import { inForm, readTextFile } from './text-file.ts';

/** The most edits that one call may make. */
const MAX_EDITS = 100;

/**
 * Makes several replacements in one file, each in the result of the one before: all of them or none. Fails as `failed`, and
 * names the edit, if one cannot be made; as `failed` if the file is not text; with `FileSystemError` if it cannot be read.
 */
export const multiEdit = defineTool({
  name: 'multi_edit',
  description:
    'Makes several replacements in one workspace file. They are made in the order given, each in the result of the previous one. ' +
    'Either all of them are made or none: if one fails, the error names it and the file is unchanged.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z
      .string()
      .min(1, 'must not be empty')
      .describe('Absolute path of the file to edit; the workspace root is "/".'),
    edits: z
      .array(editSchema)
      .min(1, 'must not be empty')
      .max(MAX_EDITS, `must be at most ${MAX_EDITS}`)
      .describe('The replacements, first to last.'),
  }),
  needs: ['files'],
  presentation: {
    verb: 'edit',
    target: 'path',
    names: ['path'],
    files: { argument: 'path', as: 'path' },
    input: { as: 'diff', of: 'edits', argument: 'edits', find: 'find', replace: 'replace' },
  },
  aliases: ['multiedit'],
  examples: [
    {
      description: 'Rename a heading and add a line',
      input: {
        path: '/docs/intro.md',
        edits: [
          { find: '# Intro', replace: '# Introduction' },
          { find: 'The end.', replace: 'One more thing.\n\nThe end.' },
        ],
      },
      result: 'Success: 2 edits, 2 replacements in /docs/intro.md, 2 more lines.',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read', 'write'] }],
  async execute({ path, edits }, { files: fileSystem, author }) {
    const resolved = resolvePath(path);
    const { before, after, places } = await fileSystem.transaction(author, async (tx) => {
      const { text: before, form } = await readTextFile(tx, resolved);
      let after = before;
      let places = 0;
      for (const [index, edit] of edits.entries()) {
        try {
          const edited = editText(resolved, after, edit);
          after = edited.text;
          places += edited.places;
        } catch (error) {
          if (!(error instanceof ToolFailure)) throw error;
          throw new ToolFailure(
            error.code,
            `Nothing was changed: edit ${index + 1} of ${edits.length} failed. ${error.message}`,
          );
        }
      }
      tx.writeFile(resolved, await inForm(after, form));
      return { before, after, places };
    });
    return {
      content: `Success: ${counted(edits.length, 'edit')}, ${counted(places, 'replacement')} in ${resolved}, ${describeChange(before, after)}.`,
      data: { path: resolved, places },
    };
  },
});

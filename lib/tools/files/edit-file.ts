import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { editText } from './edit-text.ts';
import { describeChange } from './edits.ts';
import { inForm, readTextFile } from './text-file.ts';

/** One replacement, as a model writes it in a call of `edit_file` or `multi_edit`. */
export const editSchema = z.object({
  find: z.string().describe('The text to replace, exactly as it appears in the file, including whitespace.'),
  replace: z.string().describe('The new text. Empty to remove the text.'),
  replaceAll: z
    .boolean()
    .default(false)
    .describe('Whether to replace every occurrence. Otherwise the text must occur exactly once.'),
});

/**
 * Replaces one piece of text in a file. Fails as `failed`, and changes nothing, if the text is missing or ambiguous, or if the
 * file is not text; with `FileSystemError` if it cannot be read.
 */
export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a workspace file and leaves the rest unchanged. Fails, and changes nothing, if the text ' +
    'is not found, or occurs more than once; the error then shows the closest text or the line numbers. Returns "Success" ' +
    'and what changed.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z
      .string()
      .min(1, 'must not be empty')
      .describe('Absolute path of the file to edit; the workspace root is "/".'),
    ...editSchema.shape,
  }),
  needs: ['files'],
  presentation: {
    verb: 'edit',
    target: 'path',
    names: ['path'],
    files: { argument: 'path', as: 'path' },
    input: { as: 'diff', of: 'edit', find: 'find', argument: 'replace' },
  },
  aliases: ['edit', 'str_replace'],
  examples: [
    {
      description: 'Correct a word',
      input: { path: '/docs/intro.md', find: '# Intrduction', replace: '# Introduction' },
      result: 'Success: 1 replacement in /docs/intro.md, same number of lines.',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read', 'write'] }],
  async execute({ path, ...edit }, { files: fileSystem, author }) {
    const resolved = resolvePath(path);
    const { before, after, places } = await fileSystem.transaction(author, async (tx) => {
      const { text, form } = await readTextFile(tx, resolved);
      const edited = editText(resolved, text, edit);
      tx.writeFile(resolved, await inForm(edited.text, form));
      return { before: text, after: edited.text, places: edited.places };
    });
    return {
      content: `Success: ${counted(places, 'replacement')} in ${resolved}, ${describeChange(before, after)}.`,
      data: { path: resolved, places },
    };
  },
});

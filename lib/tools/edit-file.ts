import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { applyEdit, describeChange } from './edits.ts';
import { readTextFile } from './text-file.ts';
import { defineTool } from './tool.ts';

/** One replacement, as a model writes it. */
export const editSchema = z.object({
  find: z.string().describe('The text to replace, exactly as it stands in the file, white space included.'),
  replace: z.string().describe('What stands there afterwards. Empty to remove the text.'),
  replaceAll: z
    .boolean()
    .default(false)
    .describe('Whether every place is changed. Otherwise the text must be there exactly once.'),
});

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a piece of text in a workspace file and leaves the rest as it is. Fails, and changes nothing, if the text ' +
    'is not there, or is there more than once; the error shows the closest text with its line numbers. Returns "Success" ' +
    'and what changed.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('File to edit, absolute from the workspace root "/".'),
    ...editSchema.shape,
  }),
  primaryArgument: 'path',
  question: { verb: 'edit', names: ['path'], shows: { argument: 'replace', as: 'edit' } },
  aliases: ['edit', 'str_replace'],
  examples: [
    {
      description: 'Correct a word',
      input: { path: '/docs/intro.md', find: '# Intrduction', replace: '# Introduction' },
      result: 'Success: 1 place in /docs/intro.md, as many lines as before.',
    },
  ],
  touchedPaths: ({ path }) => [path],
  async execute({ path, ...edit }, { fileSystem, author }) {
    const resolved = resolvePath(path);
    const { before, after, places } = await fileSystem.transaction(author, async (tx) => {
      const { text } = await readTextFile(tx, resolved);
      const edited = applyEdit(text, edit);
      tx.writeFile(resolved, new TextEncoder().encode(edited.text));
      return { before: text, after: edited.text, places: edited.places };
    });
    return {
      content: `Success: ${places} ${places === 1 ? 'place' : 'places'} in ${resolved}, ${describeChange(before, after)}.`,
      data: { path: resolved, places },
    };
  },
});

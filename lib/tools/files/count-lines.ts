import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { protectedNote } from '../permission/protected-note.ts';

/** The most files that one call returns; the total includes all files. */
const COUNT_LINES_MAX = 100;

/**
 * Counts the lines of text files; at most `COUNT_LINES_MAX` files are listed, and the total is of all. Fails with the errors
 * of `WorkspaceSearch`.
 */
export const countLines = defineTool({
  name: 'count_lines',
  description:
    'Counts the lines of a workspace file or directory. Of a directory, it counts every file. Returns one "lines path" line per file, at most ' +
    `${COUNT_LINES_MAX}, and the total. Skips binary files and files ignored by .gitignore.`,
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    path: z.string().default('/').describe('Directory or file to count.'),
    glob: z.string().optional().describe('Only files that match this glob, such as "*.ts".'),
  }),
  needs: ['search'],
  presentation: { verb: 'read', target: 'path', names: ['path'], result: 'list' },
  aliases: ['wc'],
  examples: [
    {
      description: 'See how long the notes are',
      input: { path: '/docs' },
      result: '12 /docs/intro.md\n3 /docs/todo.md\n15 total, 2 files',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read'] }],
  async execute({ path, glob }, { search, abortSignal }) {
    const counts = await search.lines({ path: resolvePath(path), glob, limit: COUNT_LINES_MAX }, { abortSignal });
    const { files, total } = counts;
    const more = total.files - files.length;
    const lines = files.map((file) => `${file.lines} ${file.path}`);
    if (more > 0) lines.push(`[${counted(more, 'more file')}. Narrow the path or the glob to see them.]`);
    lines.push(`${total.lines} total, ${counted(total.files, 'file')}`);
    lines.push(...protectedNote(counts.protected, 'counted'));
    return { content: lines.join('\n'), data: counts };
  },
});

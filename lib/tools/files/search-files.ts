import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { entriesNear } from '../core/entries-near.ts';
import { defineTool } from '../core/tool.ts';

/** The most paths that one call returns. */
export const SEARCH_FILES_MAX = 100;

/** Finds files by a glob; at most `SEARCH_FILES_MAX` paths. Fails like `WorkspaceSearch`. */
export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Finds workspace files by a glob such as "**/*.test.ts" or "*.{css,html}". Returns one path per line, at most ' +
    `${SEARCH_FILES_MAX}. A glob without "/" matches file names. Skips files ignored by .gitignore.`,
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    pattern: z.string().min(1, 'must not be empty').describe('Glob with *, **, ?, [] and {}.'),
    path: z.string().default('/').describe('Directory to search.'),
  }),
  needs: ['files', 'search'],
  presentation: { verb: 'search', target: 'pattern', names: ['pattern'], result: 'list' },
  aliases: ['glob', 'find_files', 'file_search'],
  examples: [{ description: 'Find the notes', input: { pattern: '*.md' }, result: '/README.md\n/docs/intro.md' }],
  async execute({ pattern, path }, { search, files, abortSignal }) {
    const directory = resolvePath(path);
    const query = { path: directory, glob: pattern, limit: SEARCH_FILES_MAX };
    const { paths, total } = await search.files(query, { abortSignal });
    if (total === 0) {
      // A name may be wrong in detail; a glob is not.
      const near = /[*?[{]/.test(pattern)
        ? ''
        : await entriesNear(files, resolvePath(`${directory}/${pattern}`)).catch(() => '');
      const content = `[No file in ${directory} matches ${pattern}.${near === '' ? '' : ` ${near}`}]`;
      return { content, data: { paths, total } };
    }
    const more = total - paths.length;
    const notice = more > 0 ? [`[${more} more. Narrow the pattern or the path to see them.]`] : [];
    return { content: [...paths, ...notice].join('\n'), data: { paths, total } };
  },
});

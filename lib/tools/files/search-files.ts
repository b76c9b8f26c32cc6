import * as z from 'zod';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { basename, resolvePath } from '#lib/vfs/paths.ts';
import type { WorkspaceSearch } from '../capabilities/workspace-search.ts';
import { defineTool } from '../core/tool.ts';
import { entriesNear, filesNamedLike, noHint } from '../execution/entries-near.ts';
import { protectedNote } from '../permission/protected-note.ts';

/** The most paths that one call of `search_files` returns. */
export const SEARCH_FILES_MAX = 100;

/** The most files that a result suggests because their text contains the name, if no file has it. */
const FOUND = 10;

/**
 * Finds files by a glob; at most `SEARCH_FILES_MAX` paths. If no file matches, the result suggests similar paths. Fails with
 * the errors of `WorkspaceSearch`, such as `FileSystemError` or `timed-out`.
 */
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
  touches: ({ path }) => [{ path, effects: ['read'] }],
  async execute({ pattern, path }, { search, files, abortSignal }) {
    const directory = resolvePath(path);
    const query = { path: directory, glob: pattern, limit: SEARCH_FILES_MAX };
    const { paths, total, protected: left } = await search.files(query, { abortSignal });
    const note = protectedNote(left, 'searched');
    if (total === 0) {
      const name = nameIn(pattern);
      const hint =
        name === '' ? '' : await hintFor(name, directory, { search, files, abortSignal }).catch(noHint(abortSignal));
      return {
        content: [`[No file in ${directory} matches ${pattern}.${hint}]`, ...note].join('\n'),
        data: { paths, total },
      };
    }
    const more = total - paths.length;
    const notice = more > 0 ? [`[${more} more. Narrow the pattern or the path to see them.]`] : [];
    return { content: [...paths, ...notice, ...note].join('\n'), data: { paths, total } };
  },
});

/** The file name in a glob, without wildcards around it; empty if there are more wildcards, or only an extension. */
function nameIn(glob: string): string {
  const name = glob.replaceAll(/^[*/]+|\*+$/g, '');
  return /[*?[{]/.test(name) || name.startsWith('.') ? '' : basename(name);
}

/** Suggests paths for a name that no file has: similar names, files whose text contains it, or entries near it. */
async function hintFor(
  name: string,
  path: string,
  { search, files, abortSignal }: { search: WorkspaceSearch; files: FileSystemReader; abortSignal: AbortSignal },
): Promise<string> {
  const similar = await filesNamedLike(name, path, { search, abortSignal });
  if (similar.length > 0) return ` Did you mean ${similar.join(', ')}?`;
  const query = { pattern: name, path, isLiteral: true, ignoreCase: true, contextLines: 0, limit: SEARCH_FILES_MAX };
  const { matches } = await search.text(query, { abortSignal });
  const found = [...new Set(matches.map((match) => match.path))].slice(0, FOUND);
  if (found.length > 0) return ` The text of ${found.join(', ')} contains “${name}”.`;
  // It is only a hint.
  const near = await entriesNear(files, resolvePath(`${path}/${name}`)).catch(() => '');
  return near === '' ? '' : ` ${near}`;
}

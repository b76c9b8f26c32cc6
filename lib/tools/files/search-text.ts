import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { TextMatch } from '../capabilities/workspace-search.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { filesNamedLike, noHint } from '../execution/entries-near.ts';
import type { KnownFile } from '../execution/known-files.ts';
import { protectedNote } from '../permission/protected-note.ts';

/** The most matching lines that one call of `search_text` returns. */
export const SEARCH_TEXT_MAX = 100;

const MAX_CONTEXT_LINES = 20;

/**
 * Finds lines by a regular expression or plain text; at most `SEARCH_TEXT_MAX`. The model then counts as knowing the
 * contents of the files that have these lines, so that it may replace them. Fails with the errors of `WorkspaceSearch`: with
 * `FileSystemError`, as `failed` for an invalid pattern, or as `timed-out`.
 */
export const searchText = defineTool({
  name: 'search_text',
  description:
    'Finds lines in workspace files by a JavaScript regular expression. With "literal", finds plain text. Returns one ' +
    `"path:line: text" per match, at most ${SEARCH_TEXT_MAX}. Skips binary files and files ignored by .gitignore.`,
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    pattern: z.string().min(1, 'must not be empty').describe('The pattern to search for.'),
    path: z.string().default('/').describe('Directory or file to search.'),
    glob: z.string().optional().describe('Only files that match this glob, such as "*.ts".'),
    literal: z.boolean().default(false).describe('Whether the pattern is plain text instead of a regular expression.'),
    ignoreCase: z
      .boolean()
      .optional()
      .describe('Whether to ignore case. By default, case matters only if the pattern has a capital letter.'),
    contextLines: z
      .int()
      .min(0, 'must be 0 or more')
      .max(MAX_CONTEXT_LINES, `must be at most ${MAX_CONTEXT_LINES}`)
      .default(0)
      .describe('Lines to show before and after each match.'),
  }),
  needs: ['files', 'search'],
  presentation: { verb: 'search', target: 'pattern', names: ['pattern'], result: 'list' },
  aliases: ['grep', 'search', 'grep_search', 'search_code'],
  examples: [
    {
      description: 'Find where something is used',
      input: { pattern: 'water(ed|ing)', path: '/docs' },
      result: '/docs/todo.md:3: - watering the plants',
    },
    {
      description: 'Find a word',
      ask: 'In which file is the word “blue”?',
      input: { pattern: 'blue' },
      result: '/docs/c.md:1: blue',
      answer: 'In /docs/c.md.',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read'] }],
  async execute(
    { pattern, path, glob, literal, ignoreCase, contextLines },
    { search, files: fileSystem, abortSignal },
  ) {
    const place = resolvePath(path);
    const query = {
      pattern,
      path: place,
      glob,
      isLiteral: literal,
      ignoreCase: ignoreCase ?? !hasCapital(pattern, literal),
      contextLines,
      limit: SEARCH_TEXT_MAX,
    };
    const found = await search.text(query, { abortSignal });
    const { matches, hasMore, filesSearched, skipped } = found;
    const notices: string[] = [];
    if (matches.length === 0) {
      const wasNarrow = filesSearched === 0 && glob !== undefined;
      const hint = wasNarrow ? ` ${glob} matches no file in ${place}. Search again without "glob".` : '';
      const name = wasNarrow
        ? ''
        : await similarNames(pattern, place, { search, abortSignal }).catch(noHint(abortSignal));
      notices.push(`[No matches in ${counted(filesSearched, 'file')}.${hint}${name}]`);
    }
    if (hasMore)
      notices.push(`[Only the first ${SEARCH_TEXT_MAX} matches are shown. Narrow the pattern, the path or the glob.]`);
    if (skipped.length > 0) notices.push(`[Too large to search: ${skipped.slice(0, 5).join(', ')}.]`);
    notices.push(...protectedNote(found.protected, 'searched'));
    const content = [...formatMatches(matches, contextLines > 0), ...notices].join('\n');
    return { content, data: found, files: await filesOf(fileSystem, matches) };
  },
});

/** A sentence about files with similar names, if a pattern looks like a file name; otherwise empty. */
async function similarNames(
  pattern: string,
  path: string,
  host: Parameters<typeof filesNamedLike>[2],
): Promise<string> {
  if (!/^[^\s\\^$*+?()[\]{}|]+\.\w{1,5}$/.test(pattern)) return '';
  const similar = await filesNamedLike(pattern, path, host);
  return similar.length === 0 ? '' : ` To read a file, use read_file. Did you mean ${similar.join(', ')}?`;
}

/** Checks whether a pattern has a capital letter, escapes such as `\S` and `\x4A` aside. */
const hasCapital = (pattern: string, isLiteral: boolean): boolean =>
  /\p{Lu}/u.test(isLiteral ? pattern : pattern.replaceAll(/\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)/gis, ''));

async function filesOf(fileSystem: FileSystemReader, matches: readonly TextMatch[]): Promise<KnownFile[]> {
  const paths = [...new Set(matches.map(({ path }) => path))];
  const files = await Promise.all(
    paths.map(async (path) => {
      // The file may have been deleted in the meantime.
      const bytes = await fileSystem.readFile(path, { isBrief: true }).catch(() => undefined);
      return bytes === undefined ? [] : [{ path, hash: await sha256(bytes) }];
    }),
  );
  return files.flat();
}

/** Formats matches like grep: context lines with `-`, groups separated by `--`. */
function formatMatches(matches: readonly TextMatch[], hasContext: boolean): string[] {
  const lines: string[] = [];
  let shown: { path: string; line: number } | undefined;
  for (const { path, line, text, before, after } of matches) {
    const isShown = (number: number) => shown?.path === path && number <= shown.line;
    const start = line - before.length;
    if (hasContext && shown !== undefined && !isShown(start - 1)) lines.push('--');
    before.forEach((content, index) => {
      if (!isShown(start + index)) lines.push(`${path}-${start + index}- ${content}`);
    });
    // The line may already be listed as context after the previous match.
    if (isShown(line)) lines.splice(lines.lastIndexOf(`${path}-${line}- ${text}`), 1, `${path}:${line}: ${text}`);
    else lines.push(`${path}:${line}: ${text}`);
    after.forEach((content, index) => {
      if (!isShown(line + 1 + index)) lines.push(`${path}-${line + 1 + index}- ${content}`);
    });
    shown = { path, line: Math.max(line + after.length, shown?.path === path ? shown.line : 0) };
  }
  return lines;
}

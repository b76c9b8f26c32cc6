import * as z from 'zod';
import type { DirectoryEntry, FileSystemReader } from '#lib/vfs/file-system.ts';
import { joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';

/** The number of entries that a model gets by default. */
const LIST_DIRECTORY_ENTRIES = 500;

/** The most entries that a model may ask for in one call of `list_directory`. */
export const LIST_DIRECTORY_MAX = 5_000;

/**
 * The schema of the structured result of `list_directory`: the listed entries with name, type, and size, and the number of all
 * entries, listed or not.
 */
export const listedSchema = z.object({
  entries: z.array(
    z.object({
      /** Path relative to the listed directory. */
      name: z.string(),
      type: z.enum(['file', 'directory', 'symlink']),
      /** Bytes; 0 for a directory. */
      size: z.number(),
    }),
  ),
  /** The number of all entries, listed or not. */
  total: z.number(),
});

type ListedEntry = z.infer<typeof listedSchema>['entries'][number];

/** An entry with a mark if the user's rules protect it. */
type MarkedEntry = ListedEntry & Pick<DirectoryEntry, 'isProtected'>;

/**
 * Lists a directory, with `recursive` also everything below it; 500 entries, or up to `LIST_DIRECTORY_MAX` if the model asks
 * for more. The result's data fits `listedSchema`. Fails with `FileSystemError` ENOENT, or as `failed` for a file.
 */
export const listDirectory = defineTool({
  name: 'list_directory',
  description:
    'Lists the entries of a workspace directory, one name per line, directories with a trailing "/". With ' +
    `"recursive", it lists those of its subdirectories too. At most ${LIST_DIRECTORY_ENTRIES} unless "limit" is set. ` +
    'Fails if the path does not exist or is a file.',
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    path: z.string().default('/').describe('Absolute path of the directory to list; the workspace root is "/".'),
    recursive: z.boolean().default(false).describe('Whether to list subdirectories too.'),
    limit: z
      .int()
      .min(1, 'must be 1 or more')
      .max(LIST_DIRECTORY_MAX, `must be at most ${LIST_DIRECTORY_MAX}`)
      .default(LIST_DIRECTORY_ENTRIES)
      .describe('The maximum number of entries to return.'),
  }),
  outputSchema: listedSchema,
  needs: ['files'],
  presentation: { verb: 'list', target: 'path', names: ['path'], result: 'list' },
  aliases: ['ls', 'listdir', 'list_files'],
  examples: [
    {
      description: 'See what is in /docs',
      ask: 'Which files are in the folder /docs?',
      input: { path: '/docs' },
      result: 'drafts/\nintro.md',
      answer: 'drafts and intro.md.',
    },
    {
      description: 'Find a file and add to it',
      ask: 'Look in /docs, and add the line “Bye” to c.md.',
      input: { path: '/docs' },
      result: 'b.md\nc.md',
      next: [
        { name: 'read_file', input: { path: '/docs/c.md' }, result: 'Hi' },
        { name: 'write_file', input: { path: '/docs/c.md', content: 'Hi\nBye\n' }, result: 'Success' },
      ],
      answer: 'I added it.',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read'] }],
  async execute({ path, recursive, limit }, { files: fileSystem }) {
    const listed: MarkedEntry[] = [];
    let total = 0;
    const directory = resolvePath(path);
    if ((await fileSystem.stat(directory)).type === 'file')
      throw new ToolFailure('failed', `${directory} is a file, not a directory. Read it with read_file.`);
    for await (const entry of entriesOf(fileSystem, directory, '', recursive)) if (++total <= limit) listed.push(entry);
    const lines = listed.map(lineOf);
    const entries = listed.map(({ name, type, size }): ListedEntry => ({ name, type, size }));
    if (total === 0) lines.push('(empty directory)');
    if (total > limit) lines.push(`[${total - limit} more. List a subdirectory, or raise "limit".]`);
    return { content: lines.join('\n'), data: { entries, total } };
  },
});

const lineOf = ({ name, type, isProtected }: MarkedEntry): string =>
  `${type === 'directory' ? `${name}/` : name}${isProtected ? ' [protected by a user rule]' : ''}`;

async function* entriesOf(
  fileSystem: FileSystemReader,
  directory: string,
  prefix: string,
  recursive: boolean,
): AsyncIterable<MarkedEntry> {
  for (const { name, type, size, isProtected } of await fileSystem.readdir(directory)) {
    yield { name: prefix + name, type, size, ...(isProtected && { isProtected }) };
    if (recursive && type === 'directory' && !isProtected)
      yield* entriesOf(fileSystem, joinPath(directory, name), `${prefix}${name}/`, true);
  }
}

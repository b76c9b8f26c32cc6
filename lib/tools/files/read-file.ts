import * as z from 'zod';
import { startOf } from '#lib/base/cut-text.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES, withoutOutputs } from './notebook.ts';
import { readTextFile } from './text-file.ts';
import { PART_CHARACTERS, PARTS_MAX_BYTES, TEXT_MAX_BYTES } from './text-limit.ts';

/** The number of lines that a model gets by default. */
export const READ_FILE_LINES = 2_000;

/**
 * Reads text files in ranges of lines, and very long lines in ranges of characters. The model then counts as knowing the whole
 * content, because a notice says what was left out; not if that was a notebook's outputs. Fails with `FileSystemError` ENOENT,
 * EISDIR or EFBIG, or as `failed` for a file that is not text.
 */
export const readFile = defineTool({
  name: 'read_file',
  description:
    `Returns the text of a workspace file. At most ${READ_FILE_LINES} lines are returned unless "limit" is set, and a ` +
    `part of a file larger than ${TEXT_MAX_BYTES / 1_000_000} MB; if there is more, a notice says how to continue. ` +
    `Fails if the path does not exist, is a directory, is not text, or is larger than ${PARTS_MAX_BYTES / 1_000_000} MB.`,
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    path: z
      .string()
      .min(1, 'must not be empty')
      .describe('Absolute path of the file to read; the workspace root is "/".'),
    offset: z.int().min(1, 'must be 1 or more').default(1).describe('The first line to return, counted from 1.'),
    limit: z
      .int()
      .min(1, 'must be 1 or more')
      .default(READ_FILE_LINES)
      .describe('The maximum number of lines to return.'),
    column: z
      .int()
      .min(1, 'must be 1 or more')
      .optional()
      .describe('The first character of that line to return, counted from 1, to continue in a very long line.'),
  }),
  needs: ['files'],
  presentation: {
    verb: 'read',
    target: 'path',
    names: ['path'],
    files: { argument: 'path', as: 'path' },
    result: 'code',
  },
  aliases: ['read', 'view'],
  examples: [
    {
      description: 'Read two notes',
      ask: '/docs/a.md 和 /docs/b.md 里写的价格各是多少？',
      input: { path: '/docs/a.md' },
      result: 'Lamp, 40 EUR',
      next: [{ name: 'read_file', input: { path: '/docs/b.md' }, result: 'Desk, 90 EUR', together: true }],
      answer: 'a.md 里是 40 EUR，b.md 里是 90 EUR。',
    },
    {
      description: 'Read a file whose name was wrong',
      ask: 'Which phone number is in /docs/bob.txt?',
      input: { path: '/docs/bob.txt' },
      result: 'Error (failed): ENOENT: no such file or directory: /docs/bob.txt. Did you mean /docs/bobby.txt?',
      fails: true,
      next: [{ name: 'read_file', input: { path: '/docs/bobby.txt' }, result: 'Phone: 5550' }],
      answer: 'It is 5550, in /docs/bobby.txt.',
    },
    {
      description: 'Read a file before changing it',
      ask: 'Set the width in /docs/style.css to 80.',
      input: { path: '/docs/style.css' },
      result: '.box {\n  width: 60px;\n}',
      next: [
        {
          name: 'write_file',
          input: { path: '/docs/style.css', content: '.box {\n  width: 80px;\n}\n' },
          result: 'Success',
        },
      ],
      answer: 'The width is now 80.',
    },
  ],
  touches: ({ path }) => [{ path, effects: ['read'] }],
  async execute({ path, offset, limit, column }, { files: fileSystem }) {
    const resolved = resolvePath(path);
    const maxBytes = isNotebook(resolved) ? NOTEBOOK_MAX_BYTES : PARTS_MAX_BYTES;
    const { text: whole, size, bytes } = await readTextFile(fileSystem, resolved, maxBytes);
    const reduced = isNotebook(resolved) ? withoutOutputs(whole) : undefined;
    const text = reduced?.text ?? whole;
    const leftOut = reduced === undefined ? '' : `\n[${leftOutOf(reduced.cells)}]`;
    // A model that has not seen the outputs would delete them by writing the file.
    const files = reduced === undefined ? [{ path: resolved, hash: await sha256(bytes) }] : [];
    const lines = text.split('\n');
    // A trailing line break ends the last line and does not start another one.
    const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const data = { path: resolved, size, lines: count };
    const isInParts = column !== undefined || (reduced === undefined && size > TEXT_MAX_BYTES);
    if (!isInParts && offset === 1 && count <= limit) return { content: text + leftOut, data, files };
    if (offset > count)
      // Nothing of the file was shown, so the model does not know it.
      return { content: `[${resolved} has ${counted(count, 'line')}; there is no line ${offset}.]`, data };
    const length = lines[offset - 1]?.length ?? 0;
    if (column !== undefined && column > Math.max(1, length))
      return {
        content: `[Line ${offset} has ${counted(length, 'character')}; there is no column ${column}.]`,
        data,
      };
    if (isInParts) {
      const content = partOf(lines.slice(0, count), { offset, limit, column: column ?? 1 });
      return { content: content + leftOut, data, files };
    }
    const last = Math.min(count, offset + limit - 1);
    const shown = lines.slice(offset - 1, last).join('\n');
    const more = last < count ? ` Continue with offset ${last + 1}.` : '';
    return { content: `${shown}\n[Lines ${offset} to ${last} of ${count}.${more}]${leftOut}`, data, files };
  },
});

/** As many whole lines as fit into one part, or a range of a line that is too long for it; with a notice how to continue. */
function partOf(
  lines: readonly string[],
  { offset, limit, column }: { offset: number; limit: number; column: number },
): string {
  const [line = '', ...others] = lines.slice(offset - 1, offset - 1 + limit);
  const first = startOf(line.slice(column - 1), PART_CHARACTERS);
  const end = column - 1 + first.length;
  if (end < line.length)
    return `${first}\n[Characters ${column} to ${end} of the ${line.length} in line ${offset} of ${lines.length}. Continue with offset ${offset}, column ${end + 1}.]`;
  const shown = [first];
  let room = PART_CHARACTERS - first.length;
  for (const other of others) {
    room -= other.length + 1;
    if (room < 0) break;
    shown.push(other);
  }
  const last = offset + shown.length - 1;
  const more = last < lines.length ? ` Continue with offset ${last + 1}.` : '';
  const from = column === 1 ? '' : `, from character ${column} of the first one`;
  return `${shown.join('\n')}\n[Lines ${offset} to ${last} of ${lines.length}${from}.${more}]`;
}

const leftOutOf = (cells: number): string =>
  `The outputs of ${counted(cells, 'cell')} are left out. Change the notebook with edit_file, which keeps them.`;

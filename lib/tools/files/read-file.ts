import * as z from 'zod';
import { toBase64 } from '#lib/base/data-url.ts';
import { sha256 } from '#lib/base/sha256.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import type { ToolContent } from '../core/content.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { formatOfName } from '../documents/document-type.ts';
import { DOCUMENT_LIMITS } from '../documents/limits.ts';
import { isNotebook, NOTEBOOK_MAX_BYTES, withoutOutputs } from './notebook.ts';
import { type ReadDocument, readDocument, SOURCE } from './read-document.ts';
import { shownLines } from './shown-lines.ts';
import { textOf } from './text-file.ts';
import { PART_CHARACTERS, PARTS_MAX_BYTES, TEXT_MAX_BYTES } from './text-limit.ts';

/** The number of lines that one call of `read_file` returns unless the model sets a limit. */
export const READ_FILE_LINES = 2_000;

/**
 * Reads a text file in ranges of lines, a very long line in ranges of characters, and a document as text. Afterwards, the model
 * counts as knowing the whole content of a text file, so that it may replace it, even if it got only a part, because a notice
 * says what was left out. It does not count as knowing the content of a document, or of a notebook without its outputs. Fails
 * with `FileSystemError` ENOENT, EISDIR or EFBIG, or as `failed` for a file that is not text.
 */
export const readFile = defineTool({
  name: 'read_file',
  description:
    `Returns the text of a workspace file, also of PDF, Office and e-book files. At most ${READ_FILE_LINES} lines are returned ` +
    `unless "limit" is set, and a part of a file larger than ${TEXT_MAX_BYTES / 1_000_000} MB; if there is more, a notice ` +
    `says how to continue. Fails if the path does not exist, is a directory, is not text, or is larger than ${PARTS_MAX_BYTES / 1_000_000} MB.`,
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
    pages: z.string().optional().describe('The part of a document, such as "3-7", or the name of a sheet or image.'),
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
  async execute({ path, offset, limit, column, pages }, { files: fileSystem, documents, abortSignal }) {
    const resolved = resolvePath(path);
    const bytes = await fileSystem.readFile(resolved, { maxBytes: maxBytesOf(resolved, pages) });
    const document = await readDocument(bytes, { path: resolved, pages, documents, abortSignal });
    if (document !== undefined)
      return shownDocument(document, { path: resolved, size: bytes.byteLength, offset, limit, column });
    const { text: whole } = await textOf(bytes, resolved);
    const size = bytes.byteLength;
    const reduced = isNotebook(resolved) && pages !== SOURCE ? withoutOutputs(whole) : undefined;
    const leftOut = reduced === undefined ? '' : `\n[${leftOutOf(reduced.cells)}]`;
    // A model that has not seen the outputs would delete them by writing the file.
    const files = reduced === undefined ? [{ path: resolved, hash: await sha256(bytes) }] : [];
    const isInParts = reduced === undefined && size > TEXT_MAX_BYTES;
    const shown = shownLines(reduced?.text ?? whole, { path: resolved, offset, limit, column, isInParts });
    const data = { path: resolved, size, lines: shown.lines };
    // If nothing of the file was shown, the model does not know it.
    return shown.isEmpty ? { content: shown.content, data } : { content: shown.content + leftOut, data, files };
  },
});

/** The largest file of this name that is read, in bytes. */
function maxBytesOf(path: string, pages: string | undefined): number {
  if (isNotebook(path)) return NOTEBOOK_MAX_BYTES;
  return formatOfName(path) === undefined || pages === SOURCE ? PARTS_MAX_BYTES : DOCUMENT_LIMITS.bytes;
}

/** Shows lines of a document's text. The model does not know the file by that, so it cannot write it. */
function shownDocument(
  { text, about, notes, image }: ReadDocument,
  { path, size, ...range }: { path: string; size: number; offset: number; limit: number; column: number | undefined },
): { content: ToolContent; data: { path: string; size: number; lines: number } } {
  if (image !== undefined) {
    const block = { type: 'image', mediaType: image.mediaType, data: toBase64(image.data), alt: image.name } as const;
    const lines = [`The image ${image.name} in ${path}.`, ...notes].map((notice) => `[${notice}]`);
    return { content: [{ type: 'text', text: lines.join('\n') }, block], data: { path, size, lines: 0 } };
  }
  const isInParts = text.length > PART_CHARACTERS;
  const { content, lines } = shownLines(text, { path, ...range, isInParts });
  const notices = [`${path} is ${about}.`, ...notes].map((notice) => `[${notice}]`);
  return { content: [content, ...notices].join('\n'), data: { path, size, lines } };
}

const leftOutOf = (cells: number): string =>
  `The outputs of ${counted(cells, 'cell')} are left out. Change the notebook with edit_file, which keeps them.`;

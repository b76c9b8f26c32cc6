import { diffLines, structuredPatch } from 'diff';
import * as z from 'zod';
import { sha256 } from '#lib/base/sha256.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { type TextForm, UTF8 } from '#lib/vfs/text-form.ts';
import { counted } from '../core/counted.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { documentFormat, FORMAT_NAMES } from '../documents/document-type.ts';
import type { KnownFiles } from '../execution/known-files.ts';
import { linesOf, withLf } from './line-ends.ts';
import { isNotebook } from './notebook.ts';
import { findPlaceholder } from './placeholders.ts';
import { SOURCE } from './read-document.ts';
import { inForm, readTextFile } from './text-file.ts';

/**
 * Time limit for computing a diff, in milliseconds; beyond it, a result has no numbers of changed lines, and a refusal no diff.
 */
const DIFF_TIMEOUT_MS = 200;

/** The most lines of the diff with which a refusal shows what has changed. */
const DIFF_LINES = 40;
/** The most characters of each line of the diff with which a refusal shows what has changed. */
const DIFF_LINE_LENGTH = 200;

/** The longest content, in characters, that a refusal shows to a model that has not read it. */
const SHOWN_CONTENT = 2_000;

/**
 * Writes a whole text file in one transaction. Fails as `failed`, and changes nothing, if the file has content that the
 * model has not read or written (rule R19), or if the new content has placeholders for omitted code.
 */
export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole text file to the workspace: a new one, or one that you have read, with your changes. ' +
    'Parent directories are created. ' +
    'The content must be complete: comments such as "rest of the code unchanged" are rejected; to change part of a file, use edit_file. ' +
    'An existing file is replaced only if you have read or written its current content; otherwise the write is rejected, so call read_file first. ' +
    'The write is atomic: either all of it is written or nothing changes. Returns "Success" and what changed.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z
      .string()
      .min(1, 'must not be empty')
      .describe('Absolute path of the file to write; the workspace root is "/".'),
    content: z.string().describe('The complete new content of the file.'),
  }),
  needs: ['files'],
  presentation: {
    verb: 'write',
    target: 'path',
    names: ['path'],
    files: { argument: 'path', as: 'path' },
    input: { as: 'file', argument: 'content', path: 'path' },
    result: 'nothing',
  },
  aliases: ['write', 'create_file', 'save_file'],
  examples: [
    {
      description: 'Write a note',
      input: { path: '/docs/todo.md', content: '- water the plants\n' },
      result: 'Success: /docs/todo.md was created, 1 line, 19 bytes.',
    },
    {
      description: 'Write a greeting',
      ask: 'Create /docs/d.md with the text “Good day”.',
      input: { path: '/docs/d.md', content: 'Good day' },
      result: 'Success',
      answer: 'd.md now says “Good day”.',
    },
  ],
  // A refusal can show what is there.
  touches: ({ path }) => [{ path, effects: ['read', 'write'] }],
  async execute({ path, content }, { files: fileSystem, author, known }) {
    const resolved = resolvePath(path);
    const { before, text, data } = await fileSystem.transaction(author, async (tx) => {
      const old = await textOf(tx, resolved);
      if (old.exists && old.text !== content) await refuseUnknown(tx, resolved, old.text, known);
      if (old.text !== undefined) refusePlaceholders(old.text, content, resolved);
      const text = keepsCrlf(old.text, content) ? withCrlf(content) : content;
      const data = await inForm(text, old.form ?? UTF8);
      tx.writeFile(resolved, data);
      return { before: old, text, data };
    });
    const summary = summarize(before, text);
    const kept = text === content ? '' : ' Its line ends are CRLF, as before.';
    return {
      content: `Success: ${resolved} ${summary.text}, ${counted(data.byteLength, 'byte')}.${kept}`,
      data: { path: resolved, size: data.byteLength, ...summary.data },
      files: [{ path: resolved, hash: await sha256(data) }],
    };
  },
});

/**
 * Checks whether a new content gets CRLF because all lines of the old text end with it, as on Windows: models write LF.
 * False if only the line ends differ, since the model then wants to change them.
 */
function keepsCrlf(old: string | undefined, content: string): boolean {
  const lines = linesOf(old ?? '').slice(0, -1);
  return lines.length > 0 && lines.every(({ end }) => end === '\r\n') && content !== withLf(old ?? '');
}

/** A text with CRLF instead of LF; unchanged if it has carriage returns itself. */
const withCrlf = (text: string): string => (text.includes('\r') ? text : text.replaceAll('\n', '\r\n'));

/** Checks whether a path exists, and reads its text if it is a text file. */
async function textOf(
  fileSystem: FileSystemReader,
  path: string,
): Promise<{ exists: boolean; text?: string; form?: TextForm }> {
  try {
    const { text, form } = await readTextFile(fileSystem, path);
    return { exists: true, text, form };
  } catch (error) {
    if (error instanceof ToolFailure) return { exists: true };
    if (error instanceof FileSystemError && error.code === 'EFBIG') return { exists: true };
    if (error instanceof FileSystemError && error.code === 'ENOENT') return { exists: false };
    throw error;
  }
}

/**
 * Rejects with `ToolFailure` if the model does not know the current content, such as that of a file that someone else has
 * changed. The message shows a short content that the model has not read, or the changes since it last read it.
 */
async function refuseUnknown(
  tx: FileSystemReader,
  path: string,
  text: string | undefined,
  known: KnownFiles,
): Promise<void> {
  const hash = known.hashOf(path);
  const data = await tx.readFile(path, { isBrief: true });
  if (hash === undefined ? data.byteLength === 0 : (await sha256(data)) === hash) return;
  const format = documentFormat(data, path);
  if ((format !== undefined && format !== 'rtf') || isNotebook(path))
    throw new ToolFailure(
      'failed',
      `Not written. ${path} is ${format === undefined ? 'a notebook, whose cells are changed with edit_file' : FORMAT_NAMES[format]}. Write to another path, or delete it first if you want to replace it.`,
    );
  if (text === undefined)
    throw new ToolFailure(
      'failed',
      `Not written. ${path} exists and is not readable text (${counted(data.byteLength, 'byte')}). Delete it first if you want to replace it.`,
    );
  if (hash === undefined && text.length <= SHOWN_CONTENT) {
    const refusal = `Not written. ${path} already exists, and you had not read it. Write the whole file again, with your changes to its content, which is:`;
    throw new ToolFailure('failed', `${refusal}\n${text}`, [{ path, hash: await sha256(data), shown: true }]);
  }
  if (hash === undefined)
    throw new ToolFailure(
      'failed',
      `Not written. ${path} already exists, with ${counted(lineCount(text), 'line')} that you have not read. ` +
        `Read it with read_file${format === 'rtf' ? ` and pages "${SOURCE}"` : ''} first; then write the whole file, or change part of it with edit_file.`,
    );
  const before = await known.textOf(path, hash);
  throw new ToolFailure(
    'failed',
    [
      `Not written. ${path} has changed since you last read or wrote it${before === undefined ? '.' : ':'}`,
      ...(before === undefined ? [] : [shortDiff(before, text)]),
      'Read it again with read_file; then write the whole file, or change part of it with edit_file.',
    ].join('\n'),
  );
}

/** The hunks of a unified diff, at most `DIFF_LINES` lines. */
function shortDiff(before: string, after: string): string {
  const patch = structuredPatch('', '', before, after, '', '', { context: 1, timeout: DIFF_TIMEOUT_MS });
  if (patch === undefined) return '[too many differences to show]';
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: hunk }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...hunk.map((line) => (line.length > DIFF_LINE_LENGTH ? `${line.slice(0, DIFF_LINE_LENGTH)}…` : line)),
  ]);
  const left = lines.length - DIFF_LINES;
  return left > 0 ? [...lines.slice(0, DIFF_LINES), `[${counted(left, 'more line')}]`].join('\n') : lines.join('\n');
}

function refusePlaceholders(before: string, after: string, path: string): void {
  const placeholder = findPlaceholder(before, after);
  if (placeholder === undefined) return;
  throw new ToolFailure(
    'failed',
    `Not written. Line ${placeholder.line} of the content is a placeholder for omitted code: ${JSON.stringify(placeholder.text)}. ` +
      `It would replace the current content of ${path}. Use edit_file to change part of the file, or write the complete content.`,
  );
}

function summarize({ exists, text }: { exists: boolean; text?: string }, after: string) {
  if (!exists) return { text: `was created, ${counted(lineCount(after), 'line')}`, data: {} };
  if (text === after) return { text: 'is unchanged', data: { added: 0, removed: 0 } };
  const changes = text === undefined ? undefined : diffLines(text, after, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return { text: `was replaced, ${counted(lineCount(after), 'line')}`, data: {} };
  const count = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  return { text: `was replaced, ${counted(added, 'line')} added and ${removed} removed`, data: { added, removed } };
}

const lineCount = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);

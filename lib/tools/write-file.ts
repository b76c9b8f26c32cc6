import { diffLines } from 'diff';
import * as z from 'zod';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { findPlaceholder } from './placeholders.ts';
import { readTextFile } from './text-file.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** How long a difference may be looked for, in milliseconds; then only the sizes are told. */
const DIFF_TIMEOUT_MS = 200;

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a text file to the workspace, whole: a new file is created with its parent directories, an existing one is replaced. ' +
    'The content must be complete: comments such as "rest of the code unchanged" are refused; to change a part of a file, use edit_file. ' +
    'The write is atomic: either all of it is there afterwards or nothing has changed. Returns "Success" and what changed.',
  toolset: 'files',
  effect: 'write',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('File to write, absolute from the workspace root "/".'),
    content: z.string().describe('The complete new content of the file.'),
  }),
  primaryArgument: 'path',
  aliases: ['write', 'create_file', 'save_file'],
  examples: [
    {
      description: 'Write a note',
      input: { path: '/docs/todo.md', content: '- water the plants\n' },
      result: 'Success: /docs/todo.md is new, 1 line, 19 bytes.',
    },
  ],
  touchedPaths: ({ path }) => [path],
  async execute({ path, content }, { fileSystem, toolCallId }) {
    const resolved = resolvePath(path);
    const data = new TextEncoder().encode(content);
    const before = await fileSystem.transaction({ type: 'call', toolCallId }, async (tx) => {
      const old = await textOf(tx, resolved);
      if (old.text !== undefined) refusePlaceholders(old.text, content, resolved);
      tx.writeFile(resolved, data);
      return old;
    });
    const summary = summarize(before, content);
    return {
      content: `Success: ${resolved} ${summary.text}, ${data.byteLength} bytes.`,
      data: { path: resolved, size: data.byteLength, ...summary.data },
    };
  },
});

/** What is at a path: a text, something else, or nothing. */
async function textOf(fileSystem: FileSystemReader, path: string): Promise<{ exists: boolean; text?: string }> {
  try {
    return { exists: true, text: (await readTextFile(fileSystem, path)).text };
  } catch (error) {
    if (error instanceof ToolFailure) return { exists: true };
    if (error instanceof FileSystemError && error.code === 'EFBIG') return { exists: true };
    if (error instanceof FileSystemError && error.code === 'ENOENT') return { exists: false };
    throw error;
  }
}

function refusePlaceholders(before: string, after: string, path: string): void {
  const placeholder = findPlaceholder(before, after);
  if (placeholder === undefined) return;
  throw new ToolFailure(
    'failed',
    `Not written. Line ${placeholder.line} of the content stands for code that was left out: ${JSON.stringify(placeholder.text)}. ` +
      `It would replace what is in ${path} now. Use edit_file to change a part of it, or write the whole content.`,
  );
}

function summarize({ exists, text }: { exists: boolean; text?: string }, after: string) {
  if (!exists) return { text: `is new, ${countOf(linesOf(after), 'line')}`, data: {} };
  if (text === after) return { text: 'is as it was', data: { added: 0, removed: 0 } };
  const changes = text === undefined ? undefined : diffLines(text, after, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return { text: `is replaced, ${countOf(linesOf(after), 'line')}`, data: {} };
  const count = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  return { text: `is replaced, ${countOf(added, 'line')} added and ${removed} removed`, data: { added, removed } };
}

const linesOf = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);

const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;

import * as z from 'zod';
import { resolvePath } from '#lib/vfs/paths.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** Largest file a model may read in one call, in bytes. */
export const READ_FILE_MAX_BYTES = 1_000_000;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Returns the text of a workspace file. Fails if the path does not exist, is a directory, is not UTF-8 text, ' +
    `or is larger than ${READ_FILE_MAX_BYTES / 1_000_000} MB.`,
  toolset: 'files',
  effect: 'read',
  inputSchema: z.object({
    path: z.string().min(1, 'must not be empty').describe('File to read, absolute from the workspace root "/".'),
  }),
  primaryArgument: 'path',
  examples: [{ description: 'Read a note', input: { path: '/docs/intro.md' }, result: '# Introduction' }],
  touchedPaths: ({ path }) => [path],
  async execute({ path }, { fileSystem }) {
    const resolved = resolvePath(path);
    const bytes = await fileSystem.readFile(resolved, { maxBytes: READ_FILE_MAX_BYTES });
    try {
      return {
        content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
        data: { path: resolved, size: bytes.byteLength },
      };
    } catch {
      throw new ToolFailure('failed', `${resolved} is not UTF-8 text (${bytes.byteLength} bytes).`);
    }
  },
});

import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { listDirectory } from './list-directory.ts';
import type { ToolOutput } from './tool.ts';

let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/docs/intro.md', new Uint8Array());
    tx.writeFile('/docs/drafts/a.md', new Uint8Array());
    tx.symlink('/docs/drafts', '/docs/link');
    tx.mkdir('/empty');
  });
});

function list(input: unknown): Promise<ToolOutput> {
  return listDirectory.execute(listDirectory.inputSchema.parse(input), {
    toolCallId: 'call',
    fileSystem,
    evaluator: { evaluate: async () => ({ console: [] }) },
    abortSignal: new AbortController().signal,
  });
}

describe('list_directory', () => {
  test('gives one name a line, sorted, directories and nothing else with a slash', async () => {
    expect(await list({ path: '/docs' })).toEqual({
      content: 'drafts/\nintro.md\nlink',
      data: {
        entries: [
          { name: 'drafts', type: 'directory' },
          { name: 'intro.md', type: 'file' },
          { name: 'link', type: 'symlink' },
        ],
      },
    });
  });

  test.each([{}, { path: '/' }, { path: '.' }, { path: '' }])('%j is the workspace’s root', async (input) => {
    expect((await list(input)).content).toBe('docs/\nempty/');
  });

  test.each(['docs', '/docs/', './docs/drafts/..', '/docs/link/..'])(
    '%j is understood as a model writes it',
    async (path) => {
      expect((await list({ path })).content).toBe('drafts/\nintro.md\nlink');
    },
  );

  test('an empty directory is said to be empty, so that no model takes it for a failure', async () => {
    expect(await list({ path: '/empty' })).toEqual({ content: '(empty directory)', data: { entries: [] } });
  });

  test.each([
    ['/nowhere', 'ENOENT'],
    ['/docs/intro.md', 'ENOTDIR'],
    ['/..', 'EINVAL'],
  ])('%j fails with %s and the path', async (path, code) => {
    await expect(list({ path })).rejects.toMatchObject({ code, message: expect.stringContaining(path) });
  });
});

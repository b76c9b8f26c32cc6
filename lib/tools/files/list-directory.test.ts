import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { ToolOutput } from '../core/tool-call.ts';
import { runTool } from '../test/run-tool.ts';
import { listDirectory } from './list-directory.ts';

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

const list = (input: unknown): Promise<ToolOutput> => runTool(listDirectory, input, fileSystem);

describe('list_directory', () => {
  test('returns one name per line, sorted; only directories have a slash', async () => {
    expect(await list({ path: '/docs' })).toEqual({
      content: 'drafts/\nintro.md\nlink',
      data: {
        entries: [
          { name: 'drafts', type: 'directory', size: 0 },
          { name: 'intro.md', type: 'file', size: 0 },
          { name: 'link', type: 'symlink', size: 12 },
        ],
        total: 3,
      },
    });
  });

  test.each([{}, { path: '/' }, { path: '.' }, { path: '' }])('%j is the workspace’s root', async (input) => {
    expect((await list(input)).content).toBe('docs/\nempty/');
  });

  test.each(['docs', '/docs/', './docs/drafts/..', '/docs/link/..'])(
    'accepts the path %j as a model writes it',
    async (path) => {
      expect((await list({ path })).content).toBe('drafts/\nintro.md\nlink');
    },
  );

  test('says that a directory is empty, so that no model mistakes the result for a failure', async () => {
    expect(await list({ path: '/empty' })).toEqual({ content: '(empty directory)', data: { entries: [], total: 0 } });
  });

  test('with "recursive", lists everything below with relative paths; links are not followed', async () => {
    expect((await list({ recursive: true })).content).toBe(
      'docs/\ndocs/drafts/\ndocs/drafts/a.md\ndocs/intro.md\ndocs/link\nempty/',
    );
  });

  test('cuts a long list at the limit, and says how many more there are', async () => {
    const { content, data } = await list({ recursive: true, limit: 2 });
    expect(content).toBe('docs/\ndocs/drafts/\n[4 more. List a subdirectory, or raise "limit".]');
    expect(data).toMatchObject({ total: 6 });
  });

  test.each([
    ['/nowhere', 'ENOENT'],
    ['/docs/intro.md', 'failed'],
    ['/..', 'EINVAL'],
  ])('%j fails with %s and the path', async (path, code) => {
    await expect(list({ path })).rejects.toMatchObject({ code, message: expect.stringContaining(path) });
  });
});

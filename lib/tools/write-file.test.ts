import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { ToolOutput } from './tool.ts';
import { writeFile } from './write-file.ts';

let fileSystem: MemoryFileSystem;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
});

function write(input: unknown, toolCallId = 'call'): Promise<ToolOutput> {
  return writeFile.execute(writeFile.inputSchema.parse(input), {
    toolCallId,
    fileSystem,
    evaluator: { evaluate: async () => ({ console: [] }) },
    abortSignal: new AbortController().signal,
  });
}

const read = async (path: string) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await fileSystem.readFile(path));

describe('write_file', () => {
  test.each(['', 'one line', 'a\r\nb\n\n', '日本語 🙂', '\ufeffwith a mark', '{"tool_calls":[]}', '\0'])(
    'stores %j to the character',
    async (content) => {
      const size = new TextEncoder().encode(content).byteLength;
      expect(await write({ path: '/d/f', content })).toEqual({ content: 'Success', data: { path: '/d/f', size } });
      expect(await read('/d/f')).toBe(content);
      expect((await fileSystem.stat('/d/f')).size).toBe(size);
    },
  );

  test('makes the directories that are missing, and replaces a file whole', async () => {
    await write({ path: 'a/b/c.txt', content: 'a long first content' });
    await write({ path: '/a/b/../b/c.txt', content: 'short' });
    expect(await read('/a/b/c.txt')).toBe('short');
    expect(await fileSystem.readdir('/a/b')).toEqual([{ name: 'c.txt', type: 'file' }]);
  });

  test('[R19] is one commit with the call as its author', async () => {
    const commits: unknown[] = [];
    fileSystem.watch((changes) => commits.push(changes));
    await write({ path: '/d/f', content: 'x' }, 'call-7');
    const author = { type: 'call', toolCallId: 'call-7' };
    expect(commits).toEqual([
      [
        { path: '/d', type: 'created', author },
        { path: '/d/f', type: 'created', author },
      ],
    ]);
  });

  test.each([
    ['/d', 'EISDIR'],
    ['/', 'EISDIR'],
    ['/d/f/x', 'ENOTDIR'],
    ['/../f', 'EINVAL'],
    [`/${'x'.repeat(256)}`, 'ENAMETOOLONG'],
  ])('%j fails with %s, and nothing has changed', async (path, code) => {
    await write({ path: '/d/f', content: 'before' });
    const { version } = await fileSystem.stat('/d/f');
    await expect(write({ path, content: 'after' })).rejects.toMatchObject({ code });
    expect(await fileSystem.readdir('/')).toEqual([{ name: 'd', type: 'directory' }]);
    expect((await fileSystem.stat('/d/f')).version).toBe(version);
  });

  test.each([{ path: '/f' }, { content: 'x' }, { path: '', content: 'x' }, { path: '/f', content: { a: 1 } }])(
    '[R5] %j is not accepted as input',
    (input) => expect(writeFile.inputSchema.safeParse(input).success).toBe(false),
  );

  test('[R3] names the file it is about, so that a dead claim can be judged', () => {
    expect(writeFile.touchedPaths?.({ path: '/d/f', content: '' })).toEqual(['/d/f']);
  });
});

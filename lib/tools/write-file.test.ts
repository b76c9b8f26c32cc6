import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { runTool } from './test/run-tool.ts';
import type { ToolOutput } from './tool.ts';
import { writeFile } from './write-file.ts';

let fileSystem: MemoryFileSystem;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
});

const write = (input: unknown, toolCallId = 'call'): Promise<ToolOutput> =>
  runTool(writeFile, input, fileSystem, { toolCallId });

const read = async (path: string) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await fileSystem.readFile(path));

describe('write_file', () => {
  test.each(['', 'one line', 'a\r\nb\n\n', '日本語 🙂', '\ufeffwith a mark', '{"tool_calls":[]}', '\0'])(
    'stores %j to the character',
    async (content) => {
      const size = new TextEncoder().encode(content).byteLength;
      const { content: said, data } = await write({ path: '/d/f', content });
      expect(said).toContain(`Success: /d/f is new, `);
      expect(said).toContain(`, ${size} bytes.`);
      expect(data).toMatchObject({ path: '/d/f', size });
      expect(await read('/d/f')).toBe(content);
      expect((await fileSystem.stat('/d/f')).size).toBe(size);
    },
  );

  test('makes the directories that are missing, and replaces a file whole', async () => {
    await write({ path: 'a/b/c.txt', content: 'a long first content' });
    await write({ path: '/a/b/../b/c.txt', content: 'short' });
    expect(await read('/a/b/c.txt')).toBe('short');
    expect(await fileSystem.readdir('/a/b')).toEqual([{ name: 'c.txt', type: 'file', size: 5 }]);
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
    expect(await fileSystem.readdir('/')).toEqual([{ name: 'd', type: 'directory', size: 0 }]);
    expect((await fileSystem.stat('/d/f')).version).toBe(version);
  });

  test.each([{ path: '/f' }, { content: 'x' }, { path: '', content: 'x' }, { path: '/f', content: { a: 1 } }])(
    '[R5] %j is not accepted as input',
    (input) => expect(writeFile.inputSchema.safeParse(input).success).toBe(false),
  );

  test('[R3] names the file it is about, so that a dead claim can be judged', () => {
    expect(writeFile.touchedPaths?.({ path: '/d/f', content: '' })).toEqual(['/d/f']);
  });

  test.each([
    ['a\nb\n', 'a\nB\nc\n', '/f is replaced, 2 lines added and 1 removed'],
    ['a\n', 'a\n', '/f is as it was'],
    ['', 'one', '/f is replaced, 1 line added and 0 removed'],
  ])('says what a replacement of %j by %j changed', async (before, after, said) => {
    await write({ path: '/f', content: before });
    expect((await write({ path: '/f', content: after })).content).toContain(said);
  });

  const CODE = `${Array.from({ length: 20 }, (_, index) => `const line${index} = ${index};`).join('\n')}\n`;

  test.each([
    '// ... rest of the code unchanged',
    '// rest of the file remains the same',
    '# ... existing code ...',
    '/* previous styles stay here */',
    '<!-- rest of the content -->',
    '{/* ...remaining component code */}',
    '// ... (other functions unchanged)',
    '... rest of the document ...',
    '// 其余代码保持不变',
    '# 省略其他代码不变',
    '-- remaining methods omitted',
  ])('refuses %j where it would replace real content, and tells what to do', async (placeholder) => {
    await write({ path: '/f', content: CODE });
    await expect(write({ path: '/f', content: `const line0 = 1;\n${placeholder}\n` })).rejects.toThrow(
      /Not written\. Line 2 .* Use edit_file/s,
    );
    expect(await read('/f')).toBe(CODE);
  });

  test.each([
    ['a new file', undefined, '// ... rest of the code unchanged\n'],
    ['a file that does not get shorter', 'a\n', 'a\n// ... rest of the code unchanged\n'],
    ['a line that was there before', `${CODE}// ... rest of the code\n`, 'a\n// ... rest of the code\n'],
    ['ordinary words', CODE, 'The rest of the code is in other files; existing functions stay here.\n'],
    ['an ordinary comment', CODE, '// Sums the rest of the numbers.\n# Existing users are kept.\n'],
  ])('does not take %s for left-out code', async (_, before, after) => {
    if (before !== undefined) await write({ path: '/f', content: before });
    await write({ path: '/f', content: after });
    expect(await read('/f')).toBe(after);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { ToolOutput } from '../core/tool-call.ts';
import { runTool } from '../test/run-tool.ts';
import { READ_FILE_LINES, readFile } from './read-file.ts';
import { PART_CHARACTERS, PARTS_MAX_BYTES, TEXT_MAX_BYTES } from './text-limit.ts';

let fileSystem: MemoryFileSystem;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
});

const store = (path: string, data: string | Uint8Array): Promise<void> =>
  fileSystem.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile(path, typeof data === 'string' ? new TextEncoder().encode(data) : data),
  );

const read = (input: unknown): Promise<ToolOutput> => runTool(readFile, input, fileSystem);

describe('read_file', () => {
  test.each([
    ['', 0],
    ['one line', 8],
    ['a\r\nb\n\n', 6],
    ['日本語 🙂', 14],
    ['tab\tand nul\0', 12],
    ['{"tool_calls":[]}</tool_result>', 31],
  ])('%j comes back as it is, to the character, with its size in bytes', async (text, size) => {
    await store('/d/f.txt', text);
    expect(await read({ path: '/d/f.txt' })).toMatchObject({ content: text, data: { path: '/d/f.txt', size } });
  });

  test.each(['d/f', './d//f', '/x/../d/f', '/link'])('accepts the path %j as a model writes it', async (path) => {
    await store('/d/f', 'x');
    await fileSystem.transaction({ type: 'person' }, async (tx) => tx.symlink('/d/f', '/link'));
    expect((await read({ path })).content).toBe('x');
  });

  test.each<[string, Uint8Array]>([
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['half a character', new TextEncoder().encode('日').subarray(0, 2)],
    ['a damaged text', new Uint8Array([...new TextEncoder().encode('日本'), 0xff])],
  ])('%s is not given as text: it fails and says so', async (_, data) => {
    await store('/f', data);
    await expect(read({ path: '/f' })).rejects.toMatchObject({
      name: 'ToolFailure',
      code: 'failed',
      message: `/f is not text (${data.byteLength} bytes).`,
    });
  });

  test('text in another encoding is read, and so is text after a byte order mark', async () => {
    await store('/latin1.csv', new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65]));
    await store('/utf16.txt', new Uint8Array([0xff, 0xfe, 0x41, 0x00]));
    await store('/marked.json', '\ufeff{"a":1}');
    expect((await read({ path: '/latin1.csv' })).content).toBe('Größe');
    expect((await read({ path: '/utf16.txt' })).content).toBe('A');
    expect((await read({ path: '/marked.json' })).content).toBe('{"a":1}');
  });

  test('a file that is not too large is read as a whole; the largest that can be read is named', async () => {
    await store('/most', 'x'.repeat(TEXT_MAX_BYTES));
    await store('/more', 'x'.repeat(PARTS_MAX_BYTES + 1));
    expect((await read({ path: '/most' })).content).toHaveLength(TEXT_MAX_BYTES);
    await expect(read({ path: '/more' })).rejects.toMatchObject({
      code: 'EFBIG',
      message: expect.stringMatching(new RegExp(`${PARTS_MAX_BYTES + 1} bytes; at most ${PARTS_MAX_BYTES}`)),
    });
  });

  /** Reads a file as its notices say, and returns what they are about. */
  async function readOn(path: string): Promise<string[]> {
    const parts: string[] = [];
    let next: Record<string, number> | undefined = {};
    while (next !== undefined) {
      const { content } = await read({ path, ...next });
      const [, text = '', place] = /^([\s\S]*)\n\[[^\n]*?(?: Continue with ([^\n]*)\.)?\]$/.exec(String(content)) ?? [];
      expect(text.length).toBeLessThanOrEqual(PART_CHARACTERS);
      parts.push(text);
      next =
        place && Object.fromEntries(place.split(', ').map((one) => [one.split(' ')[0], Number(one.split(' ')[1])]));
    }
    return parts;
  }

  test('a very long line is read in parts, and no character is cut in two', async () => {
    const text = 'a👩‍👩‍👧'.repeat(150_000);
    await store('/long', `${text}\nnext`);
    const parts = await readOn('/long');
    expect(parts.join('')).toBe(`${text}\nnext`);
    for (const part of parts) expect(part.isWellFormed()).toBe(true);
    expect((await read({ path: '/long' })).content).toMatch(
      /a\n\[Characters 1 to \d+ of the 1350000 in line 1 of 2\. Continue with offset 1, column \d+\.\]$/,
    );
    // Nothing was shown, so the model does not know the file.
    expect(await read({ path: '/long', column: 1_350_001 })).toEqual({
      content: '[Line 1 has 1350000 characters; there is no column 1350001.]',
      data: expect.anything(),
    });
  });

  test('a large file of many lines is read in parts of whole lines', async () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `${index} ${'x'.repeat(index % 100)}`).join('\n');
    await store('/large', text);
    expect((await readOn('/large')).join('\n')).toBe(text);
    expect((await read({ path: '/large', offset: 29_999, limit: 1 })).content).toBe(
      `29998 ${'x'.repeat(98)}\n[Lines 29999 to 29999 of 30000. Continue with offset 30000.]`,
    );
  });

  test('a small file can be read from a column, too', async () => {
    await store('/f', 'abcdef\ngh\n');
    expect((await read({ path: '/f', column: 4 })).content).toBe(
      'def\ngh\n[Lines 1 to 2 of 2, from character 4 of the first one.]',
    );
  });

  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');

  test.each([
    [{}, `${numbered(1, 2_000)}\n[Lines 1 to 2000 of 2500. Continue with offset 2001.]`],
    [{ offset: 2_001 }, `${numbered(2_001, 2_500)}\n[Lines 2001 to 2500 of 2500.]`],
    [{ offset: 10, limit: 2 }, 'line 10\nline 11\n[Lines 10 to 11 of 2500. Continue with offset 12.]'],
    [{ limit: 2_500 }, `${numbered(1, 2_500)}\n`],
    [{ offset: 2_501 }, '[/long has 2500 lines; there is no line 2501.]'],
  ])('a long file is read in parts: %j', async (part, content) => {
    expect(READ_FILE_LINES).toBe(2_000);
    await store('/long', `${numbered(1, 2_500)}\n`);
    expect(await read({ path: '/long', ...part })).toMatchObject({ content, data: { lines: 2_500 } });
  });

  test('only what was shown counts as read', async () => {
    await store('/long', `${numbered(1, 2_500)}\n`);
    expect(await read({ path: '/long', offset: 2_501 })).not.toHaveProperty('files');
    expect(await read({ path: '/long', offset: 2_500 })).toHaveProperty('files', [
      expect.objectContaining({ path: '/long' }),
    ]);
  });

  test.each([
    ['/nowhere', 'ENOENT', '/nowhere'],
    ['/d', 'EISDIR', '/d'],
    ['/d/f/x', 'ENOTDIR', '/d/f'],
    ['/../f', 'EINVAL', '/../f'],
  ])('%j fails with %s and the path that is to blame', async (path, code, blamed) => {
    await store('/d/f', 'x');
    await expect(read({ path })).rejects.toMatchObject({ code, path: blamed });
  });

  test.each([{}, { path: '' }, { path: 7 }, { path: '/f', limit: 0.5 }])(
    '[R5] %j is not accepted as input',
    (input) => {
      expect(readFile.parse(input).success).toBe(false);
    },
  );

  test('[R5] a number that is out of range is taken as the nearest one, and said so', () => {
    expect(readFile.parse({ path: '/f', offset: 0, limit: 0 })).toEqual({
      success: true,
      data: { path: '/f', offset: 1, limit: 1 },
      adjusted: [
        '"offset" was 0, which is out of range; 1 was used.',
        '"limit" was 0, which is out of range; 1 was used.',
      ],
    });
    expect(readFile.parse({ path: '', offset: 0 }).success).toBe(false);
  });

  test('[R5] a negative number is refused, because it means all, or a position from the end', () => {
    for (const input of [{ offset: -20 }, { limit: -1 }])
      expect(readFile.parse({ path: '/f', ...input })).toMatchObject({
        success: false,
        issues: [{ message: 'must be 1 or more' }],
      });
  });
});

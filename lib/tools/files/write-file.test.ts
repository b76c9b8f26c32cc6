import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import type { ToolOutput } from '../core/tool-call.ts';
import type { KnownFiles } from '../execution/known-files.ts';
import { runTool } from '../test/run-tool.ts';
import { touchedFiles } from '../touched-files.ts';
import { writeFile } from './write-file.ts';

let fileSystem: MemoryFileSystem;

/** Hashes of the files that the model has written, by path. */
let hashes: Map<string, string>;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  hashes = new Map();
});

async function write(input: unknown, toolCallId = 'call', before?: string): Promise<ToolOutput> {
  const known: KnownFiles = {
    hashOf: (path) => hashes.get(path),
    hasSeen: () => false,
    textOf: async () => before,
  };
  const output = await runTool(writeFile, input, fileSystem, { toolCallId, known });
  for (const { path, hash } of output.files ?? []) hashes.set(path, hash);
  return output;
}

/** Writes a file as someone else. */
const put = (path: string, content: string | Uint8Array) =>
  fileSystem.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile(path, typeof content === 'string' ? new TextEncoder().encode(content) : content),
  );

const read = async (path: string) =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await fileSystem.readFile(path));

describe('write_file', () => {
  test.each(['', 'one line', 'a\r\nb\n\n', '日本語 🙂', '\ufeffwith a mark', '{"tool_calls":[]}', '\0'])(
    'stores %j exactly',
    async (content) => {
      const size = new TextEncoder().encode(content).byteLength;
      const { content: said, data } = await write({ path: '/d/f', content });
      expect(said).toContain(`Success: /d/f was created, `);
      expect(said).toContain(`, ${size} byte${size === 1 ? '' : 's'}.`);
      expect(data).toMatchObject({ path: '/d/f', size });
      expect(await read('/d/f')).toBe(content);
      expect((await fileSystem.stat('/d/f')).size).toBe(size);
    },
  );

  test.each([
    ['all are CRLF', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['they are mixed', 'a\r\nb\n', 'a\nc\n', 'a\nc\n'],
    ['the new ones are not only LF', 'a\r\nb\r\n', 'a\r\nc\n', 'a\r\nc\n'],
    ['all are LF', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
    ['more than the line ends change', 'a\r\nb\r\n', 'a\nb\n', 'a\nb\n'],
  ])('keeps the line ends of a file only where %s', async (_, old, content, expected) => {
    await put('/a.txt', old);
    hashes.set('/a.txt', await sha256(await fileSystem.readFile('/a.txt')));
    const { content: said } = await write({ path: '/a.txt', content });
    expect(await read('/a.txt')).toBe(expected);
    expect(String(said).includes('CRLF')).toBe(expected !== content);
    // The next write knows the file.
    await write({ path: '/a.txt', content: 'd\n' });
  });

  test('keeps the encoding of a file, and refuses what it lacks', async () => {
    const bytes = new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65]);
    await put('/old.csv', bytes);
    hashes.set('/old.csv', await sha256(bytes));
    await write({ path: '/old.csv', content: 'Höhe' });
    expect(await fileSystem.readFile('/old.csv')).toEqual(new Uint8Array([0x48, 0xf6, 0x68, 0x65]));
    await expect(write({ path: '/old.csv', content: 'Höhe 🙂' })).rejects.toThrow(
      'Not written. The file is written in windows-1252, in which this text cannot be stored. Delete the file',
    );
  });

  test('creates missing directories, and replaces whole files', async () => {
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
  ])('%j fails with %s and changes nothing', async (path, code) => {
    await write({ path: '/d/f', content: 'before' });
    const { version } = await fileSystem.stat('/d/f');
    await expect(write({ path, content: 'after' })).rejects.toMatchObject({ code });
    expect(await fileSystem.readdir('/')).toEqual([{ name: 'd', type: 'directory', size: 0 }]);
    expect((await fileSystem.stat('/d/f')).version).toBe(version);
  });

  test.each([{ path: '/f' }, { content: 'x' }, { path: '', content: 'x' }, { path: '/f', content: { a: 1 } }])(
    '[R5] %j is not accepted as input',
    (input) => expect(writeFile.parse(input).success).toBe(false),
  );

  test('[R3] names the file it writes, so that a dead claim can be resolved', () => {
    expect(touchedFiles(writeFile, { path: '/d/f', content: '' })).toEqual(['/d/f']);
  });

  test.each([
    ['a\nb\n', 'a\nB\nc\n', '/f was replaced, 2 lines added and 1 removed'],
    ['a\n', 'a\n', '/f is unchanged'],
    ['', 'one', '/f was replaced, 1 line added and 0 removed'],
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
  ])('refuses %j if it would replace real content, and says what to do', async (placeholder) => {
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
  ])('does not mistake %s for omitted code', async (_, before, after) => {
    if (before !== undefined) await write({ path: '/f', content: before });
    await write({ path: '/f', content: after });
    expect(await read('/f')).toBe(after);
  });
});

describe('a file whose current content the model does not know', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

  test('is not replaced if someone else changed it; the change is shown', async () => {
    await write({ path: '/f', content: 'one\ntwo\nthree\n' });
    await put('/f', 'one\ntwo, by the user\nthree\n');
    await expect(write({ path: '/f', content: 'mine\n' }, 'call', 'one\ntwo\nthree\n')).rejects.toMatchObject({
      code: 'failed',
      message: [
        'Not written. /f has changed since you last read or wrote it:',
        '@@ -1,3 +1,3 @@',
        ' one',
        '-two',
        '+two, by the user',
        ' three',
        'Read it again with read_file; then write the whole file, or change part of it with edit_file.',
      ].join('\n'),
    });
    expect(await read('/f')).toBe('one\ntwo, by the user\nthree\n');
  });

  test('is not replaced if the earlier content is no longer available', async () => {
    await write({ path: '/f', content: 'one' });
    await put('/f', 'two');
    await expect(write({ path: '/f', content: 'mine' })).rejects.toThrow(
      'Not written. /f has changed since you last read or wrote it.\nRead it again',
    );
  });

  test('a long change is shown only in part', async () => {
    await write({ path: '/f', content: lines(0, 100) });
    await put('/f', lines(1_000, 1_100) + 'x'.repeat(100_000));
    const error = await write({ path: '/f', content: 'mine' }, 'call', lines(0, 100)).catch((reason: Error) => reason);
    const message = error instanceof Error ? error.message : '';
    expect(message).toMatch(/\n\[\d+ more lines\]\n/);
    expect(message.length).toBeLessThan(10_000);
  });

  test('is not replaced if the model never read it', async () => {
    await put('/f', lines(0, 5_000));
    await expect(write({ path: '/f', content: 'mine' })).rejects.toThrow(
      'Not written. /f already exists, with 5000 lines that you have not read. Read it with read_file first',
    );
    expect(await read('/f')).toBe(lines(0, 5_000));
  });

  test('is not replaced but shown if it is short, so that the model knows it from then on', async () => {
    await put('/f', 'one\ntwo\n');
    const refusal = await write({ path: '/f', content: 'mine' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      message: expect.stringMatching(/^Not written\. \/f already exists, .*:\none\ntwo\n$/),
      files: [{ path: '/f', hash: await sha256(new TextEncoder().encode('one\ntwo\n')), shown: true }],
    });
    expect(await read('/f')).toBe('one\ntwo\n');
  });

  test('is not replaced if it is not text', async () => {
    await put('/f', new Uint8Array([0xff, 0xfe, 0x00]));
    await expect(write({ path: '/f', content: 'mine' })).rejects.toThrow(/not readable text \(3 bytes\)\. Delete it/);
  });

  test('is replaced if it is empty, already has the new content, or was deleted', async () => {
    await put('/empty', '');
    await write({ path: '/empty', content: 'mine' });
    await put('/same', 'mine');
    await write({ path: '/same', content: 'mine' });
    await write({ path: '/gone', content: 'one' });
    await fileSystem.transaction({ type: 'person' }, async (tx) => tx.rm('/gone'));
    await write({ path: '/gone', content: 'mine' });
    for (const path of ['/empty', '/same', '/gone']) expect(await read(path)).toBe('mine');
  });

  test('is replaced if its content is what the model knows, whatever happened in between', async () => {
    await write({ path: '/f', content: 'one' });
    await put('/f', 'two');
    await put('/f', 'one');
    await write({ path: '/f', content: 'mine' });
    expect(await read('/f')).toBe('mine');
  });

  test('returns the hash of what it wrote', async () => {
    const { files } = await write({ path: 'f', content: 'ä' });
    expect(files).toEqual([{ path: '/f', hash: await sha256(new TextEncoder().encode('ä')) }]);
  });
});

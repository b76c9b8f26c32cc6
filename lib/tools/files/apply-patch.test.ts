import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readTree } from '#lib/vfs/test/contract.ts';
import { runTool } from '../test/run-tool.ts';
import { applyPatch } from './apply-patch.ts';

const CODE = 'function add(a, b) {\n  return a - b;\n}\n\nfunction two() {\n  return 1;\n}\n';

let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, { '/code.js': CODE, '/old.txt': 'x\n', '/dos.txt': 'one\r\ntwo\r\nthree\r\n' });
});

const patch = (...lines: string[]) => runTool(applyPatch, { patch: lines.join('\n') }, fileSystem);

const files = () => readTree(fileSystem);

describe('a unified diff', () => {
  test('changes, creates, moves and deletes files in one commit', async () => {
    const commits: unknown[] = [];
    fileSystem.watch((changes) => commits.push(changes));
    const { content } = await patch(
      'diff --git a/code.js b/code.js',
      '--- a/code.js',
      '+++ b/code.js',
      '@@ -1,3 +1,3 @@',
      ' function add(a, b) {',
      '-  return a - b;',
      '+  return a + b;',
      ' }',
      '--- /dev/null',
      '+++ b/docs/new.md',
      '@@ -0,0 +1,2 @@',
      '+# New',
      '+text',
      '--- a/old.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      '',
    );
    expect(content).toBe('Success: /code.js changed, /docs/new.md created, /old.txt deleted.');
    expect(await files()).toEqual({
      '/code.js': CODE.replace('a - b', 'a + b'),
      '/docs': null,
      '/docs/new.md': '# New\ntext\n',
      '/dos.txt': 'one\r\ntwo\r\nthree\r\n',
    });
    expect(commits).toHaveLength(1);
  });

  test('with wrong counts and line numbers is applied where its lines are found', async () => {
    await patch(
      '--- code.js',
      '+++ code.js',
      '@@ -40,9 +41,2 @@ function two() {',
      ' function two() {',
      '-  return 1;',
      '+  return 2;',
      ' }',
    );
    expect((await files())['/code.js']).toBe(CODE.replace('return 1', 'return 2'));
  });

  test('keeps the line breaks of a file', async () => {
    await patch('--- a/dos.txt', '+++ b/dos.txt', '@@ -1,3 +1,3 @@', ' one', '-two', '+2', ' three');
    expect((await files())['/dos.txt']).toBe('one\r\n2\r\nthree\r\n');
  });

  test('a removed line that looks like a file header is content', async () => {
    await fill(fileSystem, { '/q.sql': '-- note\nselect 1;\n' });
    await patch('--- a/q.sql', '+++ b/q.sql', '@@ -1,2 +1,1 @@', '--- note', ' select 1;');
    expect((await files())['/q.sql']).toBe('select 1;\n');
  });
});

describe('the V4A form', () => {
  test('changes, creates, moves and deletes files', async () => {
    const { content } = await patch(
      '*** Begin Patch',
      '*** Update File: code.js',
      '*** Move to: lib/math.js',
      '@@ function two() {',
      '-  return 1;',
      '+  return 2;',
      '*** Add File: /docs/new.md',
      '+# New',
      '+',
      '+text',
      '*** Delete File: old.txt',
      '*** End Patch',
    );
    expect(content).toBe('Success: /lib/math.js moved from /code.js, /docs/new.md created, /old.txt deleted.');
    expect(await files()).toEqual({
      '/docs': null,
      '/docs/new.md': '# New\n\ntext\n',
      '/dos.txt': 'one\r\ntwo\r\nthree\r\n',
      '/lib': null,
      '/lib/math.js': CODE.replace('return 1', 'return 2'),
    });
  });

  test('applies several chunks of a file in order', async () => {
    await patch(
      '*** Begin Patch',
      '*** Update File: /code.js',
      '@@',
      ' function add(a, b) {',
      '-  return a - b;',
      '+  return a + b;',
      '@@ function two() {',
      '-  return 1;',
      '+  return 2;',
      ' }',
      '*** End of File',
      '*** End Patch',
    );
    expect((await files())['/code.js']).toBe(CODE.replace('a - b', 'a + b').replace('return 1', 'return 2'));
  });

  test.each([
    ['trailing white space', ' function add(a, b) {  ', '-  return a - b;\t'],
    ['another indentation', ' function add(a, b) {', '-return a - b;'],
  ])('is found in spite of %s', async (_, ...before) => {
    await patch('*** Begin Patch', '*** Update File: /code.js', '@@', ...before, '+  return a + b;', '*** End Patch');
    expect((await files())['/code.js']).toContain('return a + b;');
  });

  test('keeps the line breaks of a file', async () => {
    await patch('*** Begin Patch', '*** Update File: dos.txt', '@@', ' one', '-two', '+2', '*** End Patch');
    expect((await files())['/dos.txt']).toBe('one\r\n2\r\nthree\r\n');
  });

  test('new lines without context are appended', async () => {
    await patch('*** Begin Patch', '*** Update File: old.txt', '@@', '+y', '*** End Patch');
    expect((await files())['/old.txt']).toBe('x\ny\n');
  });
});

describe('a patch that does not fit', () => {
  test.each<[string, string[], string]>([
    ['is not a patch', ['change it please'], 'names no file'],
    [
      'has lines that are not in the file (V4A)',
      ['*** Begin Patch', '*** Update File: code.js', '@@', '-nothing like it', '+x', '*** End Patch'],
      'Chunk 1 of code.js does not fit',
    ],
    [
      'has an anchor that is not in the file',
      ['*** Begin Patch', '*** Update File: code.js', '@@ function three() {', '-  return 1;', '*** End Patch'],
      '"function three() {" was not found',
    ],
    [
      'has lines that are not in the file (unified)',
      ['--- a/code.js', '+++ b/code.js', '@@ -1,4 +1,4 @@', ' q', ' r', ' s', '-nothing', '+x'],
      'does not match the current file',
    ],
    ['adds an existing file', ['*** Begin Patch', '*** Add File: code.js', '+x', '*** End Patch'], 'already exists'],
    ['updates a missing file', ['*** Begin Patch', '*** Update File: no.txt', '@@', '-x', '*** End Patch'], 'ENOENT'],
    ['leaves the workspace', ['*** Begin Patch', '*** Delete File: ../x', '*** End Patch'], 'EINVAL'],
    [
      'has a line without a sign',
      ['*** Begin Patch', '*** Update File: code.js', '@@', 'return 1', '*** End Patch'],
      'does not begin with',
    ],
  ])('a patch that %s changes nothing, in any file', async (_, lines, message) => {
    const before = await files();
    const good = ['*** Begin Patch', '*** Delete File: old.txt'];
    const isV4a = lines[0] === '*** Begin Patch';
    await expect(patch(...(isV4a ? [...good, ...lines.slice(1)] : lines))).rejects.toThrow(message);
    expect(await files()).toEqual(before);
  });
});

test('a move never replaces another file', async () => {
  const before = await files();
  await expect(
    patch(
      '*** Begin Patch',
      '*** Update File: code.js',
      '*** Move to: old.txt',
      '@@',
      '-  return a - b;',
      '+  return a + b;',
      '*** End Patch',
    ),
  ).rejects.toThrow('/old.txt already exists');
  expect(await files()).toEqual(before);
});

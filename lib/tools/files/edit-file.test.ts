import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readText } from '#lib/vfs/test/contract.ts';
import { runTool } from '../test/run-tool.ts';
import { editFile } from './edit-file.ts';
import { multiEdit } from './multi-edit.ts';

let fileSystem: MemoryFileSystem;

const CODE = 'function add(a, b) {\n  return a - b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n';

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, { '/code.js': CODE, '/dos.txt': 'one\r\ntwo\r\nthree\r\n', '/empty': '', '/d': null });
});

const edit = (input: object) => runTool(editFile, { path: '/code.js', ...input }, fileSystem);
const contentOf = (path = '/code.js') => readText(fileSystem, path);

describe('edit_file', () => {
  test('replaces the only occurrence, and says so', async () => {
    const output = await edit({
      find: 'add(a, b) {\n  return a - b;',
      replace: 'add(a, b) {\n  // sum\n  return a + b;',
    });
    expect(output.content).toBe('Success: 1 replacement in /code.js, 1 more line.');
    expect(await contentOf()).toBe(CODE.replace('a - b', 'a + b').replace('{\n', '{\n  // sum\n'));
  });

  test('finds text with non-breaking spaces, and other quotes and dashes, and keeps those that stay', async () => {
    const letter = 'Objet\u00a0: réunion du 3\u00a0mai\r\n« l’ordre du jour » – “suite”\r\nFin\u00a0!\r\n';
    await fill(fileSystem, { '/letter.txt': letter });
    await edit({ path: '/letter.txt', find: 'Objet : réunion du 3 mai', replace: 'Objet : réunion du 4 mai' });
    expect(await contentOf('/letter.txt')).toBe(letter.replace('3\u00a0mai', '4\u00a0mai'));
    await edit({
      path: '/letter.txt',
      find: `"suite"\nFin !`,
      replace: `"suite"\nUne ligne de plus\nFin !`,
    });
    expect(await contentOf('/letter.txt')).toBe(
      letter.replace('3\u00a0mai', '4\u00a0mai').replace('”\r\nFin', '”\r\nUne ligne de plus\r\nFin'),
    );
  });

  test('refuses text that is there twice but for such characters', async () => {
    await fill(fileSystem, { '/a.txt': 'a\u00a0b\na\u202fb\n' });
    await expect(edit({ path: '/a.txt', find: 'a b', replace: 'c' })).rejects.toThrow('is not in the file');
    await edit({ path: '/a.txt', find: 'a b', replace: 'c', replaceAll: true });
    expect(await contentOf('/a.txt')).toBe('c\nc\n');
  });

  test('inserts the replacement literally', async () => {
    await edit({ find: 'function add', replace: '$& $1 \\n function plus' });
    expect(await contentOf()).toBe(CODE.replace('function add', () => '$& $1 \\n function plus'));
  });

  test('refuses text that occurs more than once, with its lines, unless all occurrences are wanted', async () => {
    await expect(edit({ find: 'a - b', replace: 'a + b' })).rejects.toThrow('2 times, on lines 2, 6.');
    expect(await contentOf()).toBe(CODE);
    const output = await edit({ find: 'a - b', replace: 'a + b', replaceAll: true });
    expect(output.content).toBe('Success: 2 replacements in /code.js, same number of lines.');
    expect(await contentOf()).toBe(CODE.replaceAll('a - b', 'a + b'));
  });

  test('shows the closest text with its line numbers if the text is not found', async () => {
    await expect(edit({ find: 'function sub(a,b) {', replace: 'x' })).rejects.toThrow(
      'including whitespace. The closest text is:\n2:   return a - b;\n3: }\n4: \n5: function sub(a, b) {\n6:   return a - b;',
    );
    await expect(runTool(editFile, { path: '/empty', find: 'a', replace: 'b' }, fileSystem)).rejects.toThrow(
      'not in the file',
    );
  });

  test('finds text across lines in a file with Windows line breaks, and keeps them', async () => {
    await runTool(editFile, { path: '/dos.txt', find: 'one\ntwo', replace: '1\n2\n2b' }, fileSystem);
    expect(await contentOf('/dos.txt')).toBe('1\r\n2\r\n2b\r\nthree\r\n');
  });

  test('keeps the encoding and the byte order mark of a file', async () => {
    const store = (path: string, data: Uint8Array) =>
      fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(path, data));
    await store('/old.csv', new Uint8Array([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x3b, 0x31]));
    await store('/mark.txt', new TextEncoder().encode('\ufeffone'));
    await runTool(editFile, { path: '/old.csv', find: 'Größe', replace: 'Höhe' }, fileSystem);
    expect(await fileSystem.readFile('/old.csv')).toEqual(new Uint8Array([0x48, 0xf6, 0x68, 0x65, 0x3b, 0x31]));
    await runTool(multiEdit, { path: '/mark.txt', edits: [{ find: 'one', replace: 'two' }] }, fileSystem);
    expect(await fileSystem.readFile('/mark.txt')).toEqual(new TextEncoder().encode('\ufefftwo'));
  });

  test.each([
    [{ find: '', replace: 'x' }, '"find" is empty'],
    [{ find: 'a - b', replace: 'a - b', replaceAll: true }, 'are the same'],
    [{ path: '/none', find: 'a', replace: 'b' }, 'ENOENT'],
    [{ path: '/d', find: 'a', replace: 'b' }, 'EISDIR'],
  ])('%j fails and changes nothing', async (input, message) => {
    await expect(edit(input)).rejects.toThrow(message);
    expect(await contentOf()).toBe(CODE);
  });

  test('[R19] is one commit with the call as its author', async () => {
    const commits: unknown[] = [];
    fileSystem.watch((changes) => commits.push(changes));
    await runTool(editFile, { path: '/code.js', find: 'add', replace: 'plus' }, fileSystem, { toolCallId: 'call-7' });
    expect(commits).toEqual([[{ path: '/code.js', type: 'changed', author: { type: 'call', toolCallId: 'call-7' } }]]);
  });
});

describe('multi_edit', () => {
  const edits = (...list: object[]) => runTool(multiEdit, { path: '/code.js', edits: list }, fileSystem);

  test('makes its edits in order, each in the result of the previous one', async () => {
    const output = await edits({ find: 'add', replace: 'plus' }, { find: 'plus(a, b)', replace: 'plus(x, y)' });
    expect(output.content).toBe('Success: 2 edits, 2 replacements in /code.js, same number of lines.');
    expect(await contentOf()).toBe(CODE.replace('add(a, b)', 'plus(x, y)'));
  });

  test('changes nothing if an edit fails, and names it', async () => {
    const failing = edits({ find: 'add', replace: 'plus' }, { find: 'nowhere', replace: '' });
    await expect(failing).rejects.toThrow('Nothing was changed: edit 2 of 2 failed. "find" is not in the file.');
    expect(await contentOf()).toBe(CODE);
  });

  test('[R5] without edits, or with too many, is not accepted', () => {
    expect(multiEdit.parse({ path: '/f', edits: [] }).success).toBe(false);
    const many = Array.from({ length: 101 }, () => ({ find: 'a', replace: 'b' }));
    expect(multiEdit.parse({ path: '/f', edits: many }).success).toBe(false);
  });
});

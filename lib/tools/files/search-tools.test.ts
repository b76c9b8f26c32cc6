import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readTree } from '#lib/vfs/test/contract.ts';
import { createLocalSearch } from '#lib/workspace/search/local-search.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { runTool } from '../test/run-tool.ts';
import { countLines } from './count-lines.ts';
import { deletePath } from './delete-path.ts';
import { SEARCH_FILES_MAX, searchFiles } from './search-files.ts';
import { SEARCH_TEXT_MAX, searchText } from './search-text.ts';

let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, { '/a.md': 'one\ntwo\nthree\ntwo\nfive\n', '/src/b.ts': 'two\n', '/src/c.ts': '' });
});

const contentOf = async (
  ...args: Parameters<typeof runTool> extends [infer Tool, infer Input, ...unknown[]] ? [Tool, Input] : never
) => (await runTool(args[0], args[1], fileSystem)).content;

describe('search_files', () => {
  test('returns one path per line, or says that there are none', async () => {
    expect(await contentOf(searchFiles, { pattern: '*.ts' })).toBe('/src/b.ts\n/src/c.ts');
    expect(await contentOf(searchFiles, { pattern: '*.rs', path: 'src' })).toBe('[No file in /src matches *.rs.]');
  });

  test('says which names are similar to one that no file has', async () => {
    expect(await contentOf(searchFiles, { pattern: 'bb.ts', path: 'src' })).toBe(
      '[No file in /src matches bb.ts. /src contains /src/b.ts, /src/c.ts.]',
    );
    await fill(fileSystem, { '/secrets.txt': '' });
    expect(await contentOf(searchFiles, { pattern: 'secret.txt' })).toBe(
      '[No file in / matches secret.txt. Did you mean /secrets.txt?]',
    );
    await fill(fileSystem, { '/devices/office-printer.ini': '' });
    for (const pattern of ['printer.ini', '/devices/printer.ini', '**/printer.txt'])
      expect(await contentOf(searchFiles, { pattern })).toBe(
        `[No file in / matches ${pattern}. Did you mean /devices/office-printer.ini?]`,
      );
  });

  test('says which files contain a word that is in no name', async () => {
    await fill(fileSystem, { '/food/sweets.txt': 'Sugar\nMarzipan and more marzipan\n', '/food/soups.txt': 'Salt' });
    for (const pattern of ['marzipan', '*marzipan*', '**/*marzipan*'])
      expect(await contentOf(searchFiles, { pattern })).toBe(
        `[No file in / matches ${pattern}. The text of /food/sweets.txt contains “marzipan”.]`,
      );
    expect(await contentOf(searchFiles, { pattern: 'marzipan*.txt' })).toBe('[No file in / matches marzipan*.txt.]');
  });

  test('a hint that takes too long is left out, and the call does not fail', async () => {
    const search = createLocalSearch(fileSystem);
    const slow = () => Promise.reject(new ToolFailure('timed-out', 'too long'));
    const { content } = await runTool(searchFiles, { pattern: 'nowhere' }, fileSystem, {
      search: { ...search, files: search.files.bind(search), text: slow },
    });
    expect(content).toBe('[No file in / matches nowhere.]');
    const text = await runTool(searchText, { pattern: 'no.ts' }, fileSystem, {
      search: { ...search, text: search.text.bind(search), files: slow },
    });
    expect(text.content).toBe('[No matches in 3 files.]');
  });

  test('says how many more there are', async () => {
    await fill(
      fileSystem,
      Object.fromEntries(Array.from({ length: SEARCH_FILES_MAX + 3 }, (_, n) => [`/n/${n}.txt`, ''])),
    );
    const content = await contentOf(searchFiles, { pattern: '*.txt' });
    expect(content.split('\n')).toHaveLength(SEARCH_FILES_MAX + 1);
    expect(content).toContain('[3 more. Narrow the pattern or the path to see them.]');
  });
});

describe('search_text', () => {
  test('returns path, line and text, or says that there are no matches in how many files', async () => {
    expect(await contentOf(searchText, { pattern: 't[w]o' })).toBe('/a.md:2: two\n/a.md:4: two\n/src/b.ts:1: two');
    expect(await contentOf(searchText, { pattern: 'two', glob: '*.ts' })).toBe('/src/b.ts:1: two');
    expect(await contentOf(searchText, { pattern: 'nowhere' })).toBe('[No matches in 3 files.]');
    expect(await contentOf(searchText, { pattern: 'two', glob: '*.rs' })).toBe(
      '[No matches in 0 files. *.rs matches no file in /. Search again without "glob".]',
    );
  });

  test('says which files have such a name, if the pattern looks like one', async () => {
    await fill(fileSystem, { '/contracts/lease.md': 'Signed: Ada\n' });
    for (const pattern of ['lease.txt', '/contracts/lease.txt', 'lease.md'])
      expect(await contentOf(searchText, { pattern })).toBe(
        '[No matches in 4 files. To read a file, use read_file. Did you mean /contracts/lease.md?]',
      );
    for (const pattern of ['lease', 'lease.*md', 'lease, md'])
      expect(await contentOf(searchText, { pattern })).toBe('[No matches in 4 files.]');
  });

  test('case matters only if the pattern has a capital letter, or if it is asked for', async () => {
    await fill(fileSystem, { '/names': 'Name: Ada\nname of a file\n' });
    const lines = async (input: object) =>
      (await contentOf(searchText, { path: '/names', ...input })).split('\n').length;
    expect(await lines({ pattern: 'name' })).toBe(2);
    expect(await contentOf(searchText, { pattern: 'Name' })).toBe('/names:1: Name: Ada');
    expect(await contentOf(searchText, { pattern: 'name', ignoreCase: false })).toBe('/names:2: name of a file');
    expect(await lines({ pattern: 'Name', ignoreCase: true })).toBe(2);
    for (const pattern of ['name\\W', 'name[^\\S]|name:', '\\x6Eame', '\\u006Eame'])
      expect(await lines({ pattern })).toBe(2);
    expect(await lines({ pattern: 'name\\W', literal: true })).toBe(1);
  });

  test('shows the lines around matches once, with groups separated', async () => {
    expect(await contentOf(searchText, { pattern: 'two', contextLines: 1 })).toBe(
      [
        '/a.md-1- one',
        '/a.md:2: two',
        '/a.md-3- three',
        '/a.md:4: two',
        '/a.md-5- five',
        '--',
        '/src/b.ts:1: two',
      ].join('\n'),
    );
    await fill(fileSystem, { '/d': 'x\nx\nx\n1\n2\n3\nx' });
    expect(await contentOf(searchText, { pattern: 'x', path: '/d', contextLines: 1 })).toBe(
      ['/d:1: x', '/d:2: x', '/d:3: x', '/d-4- 1', '--', '/d-6- 3', '/d:7: x'].join('\n'),
    );
  });

  test('says if there are more than it shows', async () => {
    await fill(fileSystem, { '/many': 'x\n'.repeat(SEARCH_TEXT_MAX + 1) });
    expect(await contentOf(searchText, { pattern: 'x' })).toContain(
      `[Only the first ${SEARCH_TEXT_MAX} matches are shown.`,
    );
  });
});

describe('count_lines', () => {
  test('counts per file and in total', async () => {
    expect(await contentOf(countLines, {})).toBe('5 /a.md\n1 /src/b.ts\n0 /src/c.ts\n6 total, 3 files');
    expect(await contentOf(countLines, { path: '/src', glob: 'b*' })).toBe('1 /src/b.ts\n1 total, 1 file');
  });
});

describe('delete_path', () => {
  test('deletes a file, and a non-empty directory only with "recursive"', async () => {
    await runTool(deletePath, { path: '/a.md' }, fileSystem);
    await expect(runTool(deletePath, { path: '/src' }, fileSystem)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    await runTool(deletePath, { path: '/src', recursive: true }, fileSystem);
    expect(await readTree(fileSystem)).toEqual({});
    await expect(runTool(deletePath, { path: '/', recursive: true }, fileSystem)).rejects.toMatchObject({
      code: 'EINVAL',
    });
  });
});

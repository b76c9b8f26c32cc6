import { beforeEach, describe, expect, test } from 'vitest';
import type { TextQuery } from '#lib/tools/capabilities/workspace-search.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, PERSON } from '#lib/vfs/test/contract.ts';
import { countLines, SEARCHED_FILE_MAX_BYTES, SHOWN_LINE_LENGTH, searchFiles, searchText } from './search.ts';

const encoder = new TextEncoder();

let fs: MemoryFileSystem;

beforeEach(() => {
  fs = new MemoryFileSystem();
});

const files = async (glob: string, path = '/', limit = 100): Promise<readonly string[]> =>
  (await searchFiles(fs, { glob, path, limit })).paths;

const text = (pattern: string, query: Partial<TextQuery> = {}) =>
  searchText(fs, { pattern, path: '/', isLiteral: false, ignoreCase: false, contextLines: 0, limit: 100, ...query });

const places = async (pattern: string, query: Partial<TextQuery> = {}): Promise<string[]> =>
  (await text(pattern, query)).matches.map(({ path, line, text: shown }) => `${path}:${line}: ${shown}`);

describe('finding files', () => {
  beforeEach(() =>
    fill(fs, {
      '/src/App.tsx': '',
      '/src/lib/util.ts': '',
      '/src/lib/util.test.ts': '',
      '/docs/intro.md': '',
      '/.env': '',
      '/README.md': '',
      '/日本語/メモ.md': '',
    }),
  );

  test.each<[string, string, string[]]>([
    ['a name anywhere', '*.md', ['/README.md', '/docs/intro.md', '/日本語/メモ.md']],
    ['a path with **', 'src/**/*.ts', ['/src/lib/util.test.ts', '/src/lib/util.ts']],
    ['** also matches no folder', 'src/**/*.tsx', ['/src/App.tsx']],
    ['braces', '**/*.{tsx,md}', ['/README.md', '/docs/intro.md', '/src/App.tsx', '/日本語/メモ.md']],
    ['a whole path', '/src/*.tsx', ['/src/App.tsx']],
    ['a leading ./', './docs/*', ['/docs/intro.md']],
    ['hidden files', '.env', ['/.env']],
    ['a name without a wildcard', 'util.ts', ['/src/lib/util.ts']],
    ['nothing', '*.rs', []],
  ])('by %s', async (_, glob, expected) => {
    expect([...(await files(glob))].sort()).toEqual(expected.toSorted());
  });

  test('a glob with a slash is matched against the path below the searched folder', async () => {
    expect(await files('lib/*.ts', '/src')).toEqual(['/src/lib/util.test.ts', '/src/lib/util.ts']);
    expect(await files('*.tsx', '/src')).toEqual(['/src/App.tsx']);
    expect(await files('src/*.tsx', '/src')).toEqual([]);
  });

  test('returns the total even beyond the limit', async () => {
    expect(await searchFiles(fs, { glob: '**', path: '/', limit: 2 })).toEqual({
      paths: ['/.env', '/README.md'],
      total: 7,
    });
  });

  test('a missing folder is an error, not an empty result', async () => {
    await expect(files('*', '/no')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('a rule of .gitignore that takes too long to match does not apply, and the others do', async () => {
  const deep = '/a'.repeat(60);
  await fill(fs, {
    '/.gitignore': `${'**/a/'.repeat(14)}x\n**/a/**/b/*.tmp\n*.log\n`,
    [`${deep}/c.txt`]: '',
    [`${deep}/c.log`]: '',
    [`${deep}/b/c.tmp`]: '',
    [`${'/a'.repeat(14)}/x`]: '',
  });
  expect(await files('*')).toEqual(['/.gitignore', `${deep}/c.txt`, `${'/a'.repeat(14)}/x`]);
});

test('a .gitignore of many lines, or with a line of nothing but **, is read', async () => {
  await fill(fs, {
    '/.gitignore': `${'\n'.repeat(200_000)}${'**/'.repeat(20_000)}x\n*.log\n`,
    '/a/b/c/d/e/f.txt': '',
    '/a/b.log': '',
  });
  expect(await files('*')).toEqual(['/.gitignore', '/a/b/c/d/e/f.txt']);
});

test('a rule with many ** applies where it can be matched', async () => {
  await fill(fs, {
    '/.gitignore': '**/a/**/b/**/c/**/d/*.o\n',
    '/a/1/b/2/c/3/d/x.o': '',
    '/a/b/c/d/x.o': '',
    '/d/x.o': '',
  });
  expect(await files('*.o')).toEqual(['/d/x.o']);
});

describe('.gitignore', () => {
  test('is respected, including nested files and exceptions, and .git is never entered', async () => {
    await fill(fs, {
      '/.gitignore': 'node_modules/\n*.log\n/build\n',
      '/.git/config': 'x',
      '/node_modules/a/index.js': 'x',
      '/packages/p/node_modules/b.js': 'x',
      '/packages/p/.gitignore': '!keep.log\ntmp\n',
      '/packages/p/keep.log': 'x',
      '/packages/p/other.log': 'x',
      '/packages/p/tmp/f': 'x',
      '/packages/p/build/f': 'x',
      '/build/f': 'x',
      '/src/a.js': 'x',
    });
    expect(await files('**')).toEqual([
      '/.gitignore',
      '/packages/p/.gitignore',
      '/packages/p/build/f',
      '/packages/p/keep.log',
      '/src/a.js',
    ]);
    // Files above the searched folder count as well.
    expect(await files('**', '/packages')).not.toContain('/packages/p/other.log');
    // An ignored path is searched if it is named explicitly.
    expect(await places('x', { path: '/packages/p/other.log' })).toEqual(['/packages/p/other.log:1: x']);
  });

  test('symlinked folders are not entered, which prevents loops; linked files are read', async () => {
    await fill(fs, { '/d/f': 'x', '/d/loop': { link: '/d' }, '/link': { link: '/d/f' }, '/dangling': { link: '/no' } });
    expect(await files('**')).toEqual(['/d/f', '/link']);
  });
});

describe('finding text', () => {
  test('returns path, line and text of each matching line, once', async () => {
    await fill(fs, { '/a.txt': 'one\ntwo two\nthree\n', '/b/c.txt': 'twofold' });
    expect(await places('two')).toEqual(['/a.txt:2: two two', '/b/c.txt:1: twofold']);
    expect(await places('^t', { path: '/a.txt' })).toEqual(['/a.txt:2: two two', '/a.txt:3: three']);
    expect(await places('t$')).toEqual([]);
    expect(await places('e$')).toEqual(['/a.txt:1: one', '/a.txt:3: three']);
  });

  test('plain text is found in both Unicode forms', async () => {
    const [composed, decomposed] = ['café (1)', 'cafe\u0301 (1)'];
    await fill(fs, { '/a': composed, '/b': decomposed });
    for (const pattern of [composed, decomposed])
      expect(await places(pattern, { isLiteral: true })).toEqual([`/a:1: ${composed}`, `/b:1: ${decomposed}`]);
    // The beginning of another letter is not found.
    await fill(fs, { '/c': 'Tiếng 각'.normalize('NFD') });
    for (const pattern of ['ê', '가']) expect(await places(pattern, { isLiteral: true })).toEqual([]);
  });

  test('plain text is matched literally, and case matters unless ignored', async () => {
    await fill(fs, { '/f': 'a.b(c)\nA.B(C)\naxb' });
    expect(await places('a.b(c)', { isLiteral: true })).toEqual(['/f:1: a.b(c)']);
    expect(await places('a.b(c)', { isLiteral: true, ignoreCase: true })).toHaveLength(2);
    expect(await places('a.b')).toEqual(['/f:1: a.b(c)', '/f:3: axb']);
  });

  test('returns the lines around a match', async () => {
    await fill(fs, { '/f': '1\n2\n3\nx\n5\n6' });
    expect((await text('x', { contextLines: 2 })).matches).toEqual([
      { path: '/f', line: 4, column: 1, length: 1, text: 'x', offset: 0, before: ['2', '3'], after: ['5', '6'] },
    ]);
    expect((await text('1', { contextLines: 2 })).matches[0]).toMatchObject({ before: [], after: ['2', '3'] });
  });

  test('Windows line breaks do not hide the end of a line', async () => {
    await fill(fs, { '/f': 'end\r\nmore\r\n' });
    expect(await places('end$')).toEqual(['/f:1: end']);
  });

  test('a multi-line match is reported where it begins', async () => {
    await fill(fs, { '/f': 'a\nb\nc\nb\nc\n' });
    expect(await places('b\\nc')).toEqual(['/f:2: b', '/f:4: b']);
  });

  test.each(['', '^', '$', 'x*', '(?:)'])(
    'a pattern that fits nothing at all (%j) gives each line once',
    async (pattern) => {
      await fill(fs, { '/f': 'a\n\nb\n' });
      expect((await text(pattern)).matches.map(({ line }) => line)).toEqual([1, 2, 3]);
    },
  );

  test('stops at the limit and says that there are more', async () => {
    await fill(fs, { '/f': 'x\n'.repeat(5) });
    expect(await text('x', { limit: 5 })).toMatchObject({ hasMore: false });
    const { matches, hasMore } = await text('x', { limit: 4 });
    expect([matches.length, hasMore]).toEqual([4, true]);
  });

  test('files in other encodings are searched as they are shown, and damaged ones as far as they can be read', async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...[...'Größe\r\nx'].flatMap((one) => [one.charCodeAt(0), 0])]);
    const latin = Uint8Array.from([...'\nGröße 2\r\n'].map((one) => one.charCodeAt(0)));
    const damaged = new Uint8Array([...encoder.encode('日本 Größe '), 0xff]);
    await fs.transaction(PERSON, async (tx) => {
      tx.writeFile('/a.csv', utf16);
      tx.writeFile('/b.csv', latin);
      tx.writeFile('/c.csv', damaged);
    });
    expect(await places('Größe')).toEqual(['/a.csv:1: Größe', '/b.csv:2: Größe 2', '/c.csv:1: 日本 Größe \ufffd']);
    expect(await places('e$')).toEqual(['/a.csv:1: Größe']);
  });

  test('a glob narrows the search; binary files are skipped, and large ones are listed as skipped', async () => {
    await fill(fs, { '/a.ts': 'x', '/a.md': 'x', '/bin': 'x\0x' });
    await fs.transaction(PERSON, async (tx) => tx.writeFile('/huge', new Uint8Array(SEARCHED_FILE_MAX_BYTES + 1)));
    expect(await places('x', { glob: '*.ts' })).toEqual(['/a.ts:1: x']);
    for (const glob of ['', './']) expect(await places('x', { glob })).toEqual(['/a.md:1: x', '/a.ts:1: x']);
    expect(await text('x')).toMatchObject({ filesSearched: 2, skipped: ['/huge'] });
  });

  test('shows only the part of a long line that contains the match', async () => {
    await fill(fs, { '/f': `${'a'.repeat(1000)}needle${'b'.repeat(1000)}` });
    const [match] = (await text('needle')).matches;
    expect(match?.text.slice(match.offset, match.offset + match.length)).toBe('needle');
    expect(match?.text.length).toBeLessThanOrEqual(SHOWN_LINE_LENGTH + 2);
  });

  test('an invalid regular expression is an error that says what to do', async () => {
    await expect(text('a(')).rejects.toMatchObject({
      name: 'ToolFailure',
      message: expect.stringContaining('"literal"'),
    });
  });
});

describe('counting lines', () => {
  test('counts per file and in total, with or without a final line break', async () => {
    await fill(fs, { '/a': '1\n2\n', '/b': '1\n2', '/c': '', '/d/e.ts': '\n', '/bin': '\0' });
    expect(await countLines(fs, { path: '/', limit: 3 })).toEqual({
      files: [
        { path: '/a', lines: 2 },
        { path: '/b', lines: 2 },
        { path: '/c', lines: 0 },
      ],
      total: { files: 4, lines: 5 },
    });
    expect((await countLines(fs, { path: '/', glob: '*.ts', limit: 9 })).total).toEqual({ files: 1, lines: 1 });
    expect((await countLines(fs, { path: '/a', limit: 9 })).total).toEqual({ files: 1, lines: 2 });
  });
});

describe('contents that are adjacent in memory, as in a pack', () => {
  /** Reads files into one buffer, so that each begins where the previous one ends. */
  class PackedFileSystem extends MemoryFileSystem {
    override async readFiles(paths: readonly string[]): Promise<Uint8Array[]> {
      const contents = await Promise.all(paths.map((path) => this.readFile(path)));
      const pack = new Uint8Array(contents.reduce((sum, { byteLength }) => sum + byteLength, 0));
      let end = 0;
      return contents.map((data) => {
        pack.set(data, end);
        end += data.byteLength;
        return pack.subarray(end - data.byteLength, end);
      });
    }
  }

  const ODD: Record<string, Uint8Array> = {
    'without a line break at its end': encoder.encode('needle'),
    empty: new Uint8Array(),
    'of Windows': encoder.encode('x\r\nneedle\r\n'),
    'that ends with half of a Windows line break': encoder.encode('needle\r'),
    'that begins with the other half': encoder.encode('\nneedle'),
    'in another script': encoder.encode('日本 needle'),
    'with a byte order mark': encoder.encode('\uFEFFneedle\n'),
    binary: Uint8Array.of(0x6e, 0, 0x65),
    'that ends within a character': encoder.encode('needle 日').subarray(0, -1),
    'that begins within a character': Uint8Array.of(0xa5, 0x0a, ...encoder.encode('needle')),
    'longer than a run': encoder.encode(`${'a line\n'.repeat(12_000)}needle`),
  };

  test.each(Object.keys(ODD))('a file %s among plain ones is found as it is alone', async (name) => {
    const packed = new PackedFileSystem();
    for (const fileSystem of [fs, packed]) {
      await fileSystem.transaction(PERSON, async (tx) => {
        for (let index = 0; index < 9; index++)
          tx.writeFile(
            `/f${index}`,
            index % 3 === 1 ? (ODD[name] ?? new Uint8Array()) : encoder.encode(`needle ${index}\nend`),
          );
        for (const [index, data] of Object.values(ODD).entries()) tx.writeFile(`/odd/${index}`, data);
      });
    }
    for (const pattern of ['needle', '^needle$', 'end', '^end$', 'needle.', '\uFEFF', '\uFFFD', '日']) {
      const query = { pattern, path: '/', isLiteral: false, ignoreCase: false, contextLines: 1, limit: 1000 };
      expect(await searchText(packed, query), pattern).toEqual(await searchText(fs, query));
    }
    expect((await text('^needle')).matches.length).toBeGreaterThan(9);
  });
});

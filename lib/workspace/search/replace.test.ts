import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readText, readTree } from '#lib/vfs/test/contract.ts';
import { replaceText } from './replace.ts';

const QUERY = { path: '/', isLiteral: true, ignoreCase: false };

test('replaces all matches in all matching files, as one commit by the user', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/a.ts': 'one one\ntwo', '/d/b.ts': 'One', '/c.md': 'one' });
  const count = await replaceText(fs, { ...QUERY, pattern: 'one', replacement: '$1', glob: '*.ts' });
  expect(count).toEqual({ files: 1, places: 2 });
  expect(await readTree(fs)).toMatchObject({ '/a.ts': '$1 $1\ntwo', '/d/b.ts': 'One', '/c.md': 'one' });
  expect((await fs.history.steps(1)).map(({ author }) => author)).toEqual([{ type: 'person' }]);
});

test('a regular expression inserts captured groups', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/a.ts': 'const x = 1;\nconst y = 2;' });
  const query = { ...QUERY, isLiteral: false, pattern: '^const (\\w)', replacement: 'let $1' };
  expect(await replaceText(fs, query)).toEqual({ files: 1, places: 2 });
  expect(await readTree(fs)).toEqual({ '/a.ts': 'let x = 1;\nlet y = 2;' });
});

test('replaces a single match, if it is still there', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/a.ts': 'a1\nb a2 a3\r\na4', '/b.ts': 'a1' });
  const query = { ...QUERY, path: '/a.ts', isLiteral: false, pattern: 'a(\\d)$', replacement: '<$1>' };
  expect(await replaceText(fs, { ...query, at: { line: 3, column: 1 } })).toEqual({ files: 1, places: 1 });
  expect(await readText(fs, '/a.ts')).toBe('a1\nb a2 a3\r\n<4>');
  for (const at of [
    { line: 1, column: 2 },
    { line: 3, column: 1 },
    { line: 9, column: 1 },
  ])
    expect(await replaceText(fs, { ...query, at })).toEqual({ files: 0, places: 0 });
  const middle = { ...query, pattern: '(?<=b )a', replacement: '$&$&', at: { line: 2, column: 3 } };
  expect(await replaceText(fs, middle)).toEqual({ files: 1, places: 1 });
  expect(await readTree(fs)).toEqual({ '/a.ts': 'a1\nb aa2 a3\r\n<4>', '/b.ts': 'a1' });
});

test('keeps line endings, and leaves files alone that are not text', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/windows': 'one\r\ntwo\r\n', '/mixed': 'one\r\ntwo\n' });
  await fs.transaction({ type: 'person' }, async (tx) => tx.writeFile('/latin', Uint8Array.of(0x6f, 0x6e, 0x65, 0xe4)));
  await replaceText(fs, { ...QUERY, isLiteral: false, pattern: 'one$', replacement: 'x\ny' });
  await replaceText(fs, { ...QUERY, pattern: 'two', replacement: '2' });
  expect(await readText(fs, '/windows')).toBe('x\r\ny\r\n2\r\n');
  expect(await readText(fs, '/mixed')).toBe('x\ny\r\n2\n');
  expect([...(await fs.readFile('/latin'))]).toEqual([0x6f, 0x6e, 0x65, 0xe4]);
});

test('makes no commit without a match; an invalid pattern is an error', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/a': 'one' });
  expect(await replaceText(fs, { ...QUERY, pattern: 'two', replacement: 'x' })).toEqual({ files: 0, places: 0 });
  expect(fs.history.sequence).toBe(1);
  const broken = async () => replaceText(fs, { ...QUERY, isLiteral: false, pattern: '(', replacement: '' });
  await expect(broken()).rejects.toThrow('not a valid regular expression');
});

test('files in another encoding stay in it; one that cannot store the replacement keeps all as they are', async () => {
  const fs = new MemoryFileSystem();
  const latin = Uint8Array.from([...'Größe: one\n'].map((character) => character.charCodeAt(0)));
  const wide = Uint8Array.of(0xff, 0xfe, ...[...'one'].flatMap((character) => [character.charCodeAt(0), 0]));
  await fs.transaction({ type: 'person' }, async (tx) => {
    tx.writeFile('/latin', latin);
    tx.writeFile('/wide', wide);
    tx.writeFile('/marked', new TextEncoder().encode('\ufeffone'));
  });
  expect(await replaceText(fs, { ...QUERY, pattern: 'one', replacement: 'zwölf' })).toEqual({ files: 3, places: 3 });
  const bytes = async (path: string) => [...(await fs.readFile(path))];
  expect(await bytes('/latin')).toEqual([...'Größe: zwölf\n'].map((character) => character.charCodeAt(0)));
  expect(await bytes('/wide')).toEqual([0xff, 0xfe, ...[...'zwölf'].flatMap((one) => [one.charCodeAt(0), 0])]);
  expect(await bytes('/marked')).toEqual([...new TextEncoder().encode('\ufeffzwölf')]);
  await expect(replaceText(fs, { ...QUERY, pattern: 'zwölf', replacement: '十二' })).rejects.toThrow(
    'Nothing was replaced: /latin is written in windows-1252',
  );
  expect(await bytes('/marked')).toEqual([...new TextEncoder().encode('\ufeffzwölf')]);
});

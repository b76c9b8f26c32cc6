import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { listedEntries } from './listed-files.ts';

test('a listing leaves out .git and what .gitignore files exclude, unless it is asked for by name', async () => {
  const files = new MemoryFileSystem();
  await fill(files, {
    '/.gitignore': 'node_modules/\n*.log\n',
    '/.git/HEAD': 'ref',
    '/a.log': 'x',
    '/a.ts': 'x',
    '/node_modules/x/index.js': 'x',
    '/src/.gitignore': '!keep.log\nout\n',
    '/src/keep.log': 'x',
    '/src/other.log': 'x',
    '/src/out/b.js': 'x',
  });
  const names = async (path: string) => (await listedEntries(files, path)).map(({ name }) => name);
  expect(await names('/')).toEqual(['.gitignore', 'a.ts', 'src']);
  expect(await names('/src')).toEqual(['.gitignore', 'keep.log']);
  expect(await names('/node_modules')).toEqual(['x']);
  expect(await names('/node_modules/x')).toEqual(['index.js']);
  expect(await names('/src/out')).toEqual(['b.js']);
});

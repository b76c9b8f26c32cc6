import { expect, test } from 'vitest';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { findEntries } from './entry-pages.ts';

test('pages come before texts and drawings, and files near the root before the rest', async () => {
  const fileSystem = new TreeFileSystem(new MemoryStorage());
  const paths = [
    '/README.md',
    '/logo.svg',
    '/about.html',
    '/index.html',
    '/game/index.html',
    '/game/a.html',
    '/dist/index.html',
    '/node_modules/x/index.html',
    '/src/main.ts',
  ];
  await fill(fileSystem, Object.fromEntries(paths.map((path) => [path, 'x'])));
  const { entries, hasReact } = await findEntries(fileSystem);
  expect(hasReact).toBe(false);
  expect(entries).toEqual([
    '/index.html',
    '/about.html',
    '/game/index.html',
    '/game/a.html',
    '/README.md',
    '/logo.svg',
  ]);
});

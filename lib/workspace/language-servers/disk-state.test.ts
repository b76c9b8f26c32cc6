import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskChanges, readDiskState } from './disk-state.ts';
import { newFolder, writeFiles } from './test/folder.ts';

const read = (root: string, signal = new AbortController().signal) => readDiskState(root, signal);

test('changes on disk are found, except in .git and in directories that symlinks lead to', async () => {
  const [root, outside] = [await newFolder(), await newFolder()];
  await writeFiles(root, { 'a.ts': '1', 'b/c.ts': '1', 'b/d.ts': '1', '.gitignore': 'b', '.git/e': '1', 'f.ts': '1' });
  await symlink(outside, join(root, 'out'));
  const before = await read(root);
  // The same size, and soon after.
  await writeFiles(root, { 'a.ts': '2', 'b/new.ts': '', '.git/e': '2' });
  await writeFiles(outside, { 'g.ts': '' });
  await rm(join(root, 'b/c.ts'));
  await rename(join(root, 'f.ts'), join(root, 'h.ts'));
  const after = await read(root);
  expect(diskChanges(before, after).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: '/a.ts', type: 'changed' },
    { path: '/b/c.ts', type: 'deleted' },
    { path: '/b/new.ts', type: 'created' },
    { path: '/f.ts', type: 'deleted' },
    { path: '/h.ts', type: 'created' },
  ]);
  expect(after.packages).toBe(before.packages);
  expect(diskChanges(after, await read(root))).toEqual([]);
});

test('packages that are installed, updated or removed are noticed, and what tools keep next to them is not', async () => {
  const root = await newFolder();
  await writeFiles(root, { 'node_modules/a/index.js': '', 'apps/b/node_modules/@c/d/index.js': '' });
  const seen = new Set([(await read(root)).packages]);
  await writeFiles(root, { 'node_modules/.cache/x': '' });
  seen.add((await read(root)).packages);
  expect(seen.size).toBe(1);
  await writeFiles(root, { 'apps/b/node_modules/@c/e/index.js': '' });
  seen.add((await read(root)).packages);
  await rm(join(root, 'node_modules/a'), { recursive: true });
  seen.add((await read(root)).packages);
  await writeFiles(root, { 'node_modules/.package-lock.json': '{}' });
  const { packages, files } = await read(root);
  expect(seen.add(packages).size).toBe(4);
  expect([...files.keys()]).toEqual([]);
});

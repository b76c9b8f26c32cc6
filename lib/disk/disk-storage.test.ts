import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  bytesOf,
  CALL,
  describeFileSystem,
  expectCode,
  fill,
  increment,
  PERSON,
  readText,
  readTree,
  writeText,
} from '#lib/vfs/test/contract.ts';
import { testGit } from '#lib/vfs/test/git.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { DiskStorage } from './disk-storage.ts';

const made: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'workspace-'));
  made.push(directory);
  return directory;
}

const open = async (directory: string) => new TreeFileSystem(await DiskStorage.open(directory));

describeFileSystem('DiskStorage', async () => open(await newDirectory()));
testGit('DiskStorage', async () => open(await newDirectory()));

let root: string;
beforeEach(async () => {
  root = await newDirectory();
});
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

test('writes to the disk, and reads from it', async () => {
  await mkdir(join(root, 'src'));
  await writeFile(join(root, 'src/a.ts'), 'a');
  const fs = await open(root);
  expect(await readTree(fs)).toEqual({ '/src': null, '/src/a.ts': 'a' });
  await fs.transaction(CALL, async (tx) => {
    tx.writeFile('/src/b.ts', bytesOf('b'), { mode: 0o755 });
    tx.rename('/src/a.ts', '/lib/a.ts');
    tx.symlink('/lib/a.ts', '/src/link');
  });
  expect(await readFile(join(root, 'lib/a.ts'), 'utf8')).toBe('a');
  expect(await readFile(join(root, 'src/b.ts'), 'utf8')).toBe('b');
  // Other programs can follow it to the same file.
  expect(await readlink(join(root, 'src/link'))).toBe('../lib/a.ts');
  expect(await readTree(await open(root))).toMatchObject({ '/lib/a.ts': 'a', '/src/b.ts': 'b' });
  expect((await readdir(root)).sort()).toEqual(['lib', 'src']);
});

test('no path leads out: neither “..” nor a symlink by another program', async () => {
  const outside = await newDirectory();
  await writeFile(join(outside, 'secret'), 'secret');
  await symlink(outside, join(root, 'out'));
  await symlink('../../../../../../etc', join(root, 'etc'));
  const fs = await open(root);
  await expectCode(fs.readFile('/../secret'), 'EINVAL');
  await expectCode(fs.readFile('/out/secret'), 'ENOENT');
  await expectCode(fs.readdir('/etc'), 'EINVAL');
  await writeText(fs, '/out/secret', 'mine').catch(() => undefined);
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(await readdir(outside)).toEqual(['secret']);
});

test('does not write through a symlink that replaced a directory', async () => {
  const outside = await newDirectory();
  const fs = await open(root);
  await fill(fs, { '/d/f': 'x' });
  await rm(join(root, 'd'), { recursive: true });
  await symlink(outside, join(root, 'd'));
  await writeText(fs, '/d/new', 'y').catch(() => undefined);
  expect(await readdir(outside)).toEqual([]);
});

test('[R19] a transaction does not overwrite changes by another program that it has not seen', async () => {
  const fs = await open(root);
  await writeText(fs, '/n', '1');
  await writeFile(join(root, 'n'), '5');
  await fs.transaction(PERSON, async (tx) => {
    const next = Number(await readText(tx, '/n')) + 1;
    tx.writeFile('/n', bytesOf(String(next)));
  });
  expect(await readFile(join(root, 'n'), 'utf8')).toBe('6');
  await writeFile(join(root, 'n'), '7');
  expect(await readText(fs, '/n')).toBe('7');
});

test('a commit that fails halfway is rolled back completely', async () => {
  const fs = await open(root);
  await fill(fs, { '/a': 'one', '/d/b': 'two' });
  const before = await readTree(fs);
  const name = 'x'.repeat(250);
  // The path is too long for the disk, but not for the workspace.
  const deep = `/${Array.from({ length: 20 }, () => name).join('/')}`;
  const failing = fs.transaction(PERSON, async (tx) => {
    tx.writeFile('/a', bytesOf('changed'));
    tx.rename('/d', '/e');
    tx.mkdir(deep);
  });
  await expect(failing).rejects.toMatchObject({ name: 'FileSystemError' });
  expect(await readTree(fs)).toEqual(before);
  expect(await readTree(await open(root))).toEqual(before);
  expect((await readdir(root)).sort()).toEqual(['a', 'd']);
});

test('a missing directory is an error', async () => {
  await expectCode(open(join(root, 'no')), 'ENOENT');
});

test('does not remove a directory with entries that another program has just added', async () => {
  const fs = await open(root);
  await fill(fs, { '/build/a': 'x' });
  await writeFile(join(root, 'build/new.txt'), 'not seen');
  await fs.transaction(PERSON, async (tx) => tx.rm('/build', { recursive: true }));
  // When the transaction is retried from its reads, it sees and removes the new entry.
  expect(await readdir(root)).toEqual([]);
  await fill(fs, { '/build/a': 'x' });
  await writeFile(join(root, 'build/new.txt'), 'not seen');
  await expectCode(
    fs.transaction(PERSON, async (tx) => {
      tx.rm('/build/a');
      tx.rm('/build');
    }),
    'ENOTEMPTY',
  );
  expect(await readFile(join(root, 'build/new.txt'), 'utf8')).toBe('not seen');
});

test('does not overwrite entries that the workspace cannot represent, such as a socket', async () => {
  const server = createServer().listen(join(root, 'socket'));
  await once(server, 'listening');
  const fs = await open(root);
  await expectCode(writeText(fs, '/socket', 'x'), 'EEXIST');
  server.close();
});

test('many concurrent transactions each complete exactly once', async () => {
  const fs = await open(root);
  await writeText(fs, '/n', '0');
  await Promise.all(Array.from({ length: 20 }, () => increment(fs, '/n')));
  expect(await readFile(join(root, 'n'), 'utf8')).toBe('20');
});

test('a directory that is gone is an error of the workspace, with its code', async () => {
  const fs = await open(root);
  await rm(root, { recursive: true });
  await expectCode(fs.refresh(), 'ENOENT');
});

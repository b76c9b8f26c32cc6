import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileSystemTransaction } from '#lib/vfs/file-system.ts';
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
import { inDirectory } from './pinned-directory.ts';

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
  await expectCode(fs.readFile('/out/secret'), 'EINVAL');
  await expectCode(fs.readdir('/etc'), 'EINVAL');
  await expectCode(writeText(fs, '/out/secret', 'mine'), 'EINVAL');
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(await readdir(outside)).toEqual(['secret']);
  expect((await readdir(root)).sort()).toEqual(['etc', 'out']);
});

test('a copy of a symlink that leads out has the same target on disk', async () => {
  for (const [name, target] of [
    ['a', '/etc/hosts'],
    ['b', `${root}/../x`],
    ['c', '../x'],
  ] as const) {
    await symlink(target, join(root, name));
    const fs = await open(root);
    await fs.transaction(PERSON, async (tx) => tx.copy(`/${name}`, `/copy-${name}`));
    expect(await readlink(join(root, `copy-${name}`))).toBe(target);
  }
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

test('reads only what is needed, and notices changes by others when it looks again', async () => {
  for (const name of ['a', 'b']) await mkdir(join(root, name));
  await writeFile(join(root, 'a/one.txt'), '1');
  await writeFile(join(root, 'b/two.txt'), '2');
  const storage = await DiskStorage.open(root);
  const fs = new TreeFileSystem(storage);
  expect(await readText(fs, '/a/one.txt')).toBe('1');
  expect(storage.tree.known.size).toBe(3);
  await rm(join(root, 'a/one.txt'));
  await writeFile(join(root, 'a/new.txt'), 'new');
  expect((await fs.readdir('/a')).map(({ name }) => name)).toEqual(['new.txt']);
  await expectCode(fs.readFile('/a/one.txt'), 'ENOENT');
});

test('a version that was seen is out of date once another program has changed the file', async () => {
  await writeFile(join(root, 'f'), '1');
  const fs = await open(root);
  const { version } = await fs.stat('/f');
  await writeFile(join(root, 'f'), '2');
  const writing = fs.transaction(PERSON, async (tx) => tx.writeFile('/f', bytesOf('3'), { ifVersion: version }));
  await expectCode(writing, 'ESTALE');
  expect(await readFile(join(root, 'f'), 'utf8')).toBe('2');
});

test('those who watch are told of changes by others in folders that were listed', async () => {
  await mkdir(join(root, 'd'));
  const fs = await open(root);
  const changes: unknown[] = [];
  fs.watch((made) => changes.push(...made.map(({ path, type }) => `${type} ${path}`)));
  await fs.readdir('/d');
  await writeFile(join(root, 'd/new'), 'x');
  await fs.refresh();
  await Promise.resolve();
  expect(changes).toEqual(['created /d/new']);
});

test('a folder that becomes a symlink right after the check leads nowhere: neither to read, list nor write', async () => {
  const outside = await newDirectory();
  await writeFile(join(outside, 'f'), 'secret');
  const storage = await DiskStorage.open(root);
  const fs = new TreeFileSystem(storage);
  await fill(fs, { '/d/f': 'mine' });
  const file = storage.tree.known.child(storage.tree.known.child(0, 'd') ?? 0, 'f') ?? 0;
  const { blob, size } = storage.tree.known.node(file) ?? { blob: 0, size: 0 };
  await rename(join(root, 'd'), join(root, 'moved'));
  await symlink(outside, join(root, 'd'));
  // As a read that has already found its file.
  await expect(storage.readBlob({ blob, size }, '/d/f')).rejects.toMatchObject({ code: 'EACCES' });
  expect(() => inDirectory(root, '/d', () => 'listed')).toThrow();
  await writeText(fs, '/d/f', 'mine').catch(() => undefined);
  expect(await readFile(join(outside, 'f'), 'utf8')).toBe('secret');
});

test('errors do not contain the path of the machine', async () => {
  const fs = await open(root);
  await rm(root, { recursive: true });
  const error = await fs.readdir('/').catch((failure: unknown) => failure);
  expect(String(error)).toBe('FileSystemError: ENOENT: no such file or directory: /');
});

test('hidden paths do not exist for tools, and read-only ones stay as they are', async () => {
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  await writeFile(join(root, '.git/hooks/post-commit'), 'old');
  await mkdir(join(root, 'private'));
  await writeFile(join(root, 'private/key'), 'secret');
  const accessOf = (path: string) =>
    path.startsWith('/private') ? 'hidden' : path.startsWith('/.git/hooks') ? 'read-only' : 'open';
  const fs = new TreeFileSystem(await DiskStorage.open(root, { accessOf }));
  expect((await fs.readdir('/')).map(({ name }) => name)).toEqual(['.git']);
  await expectCode(fs.readFile('/private/key'), 'ENOENT');
  expect(await readText(fs, '/.git/hooks/post-commit')).toBe('old');
  for (const change of [
    (tx: FileSystemTransaction) => tx.writeFile('/.git/hooks/post-commit', bytesOf('new')),
    (tx: FileSystemTransaction) => tx.writeFile('/.git/hooks/pre-push', bytesOf('new')),
    (tx: FileSystemTransaction) => tx.rename('/.git', '/git'),
    (tx: FileSystemTransaction) => tx.rm('/.git', { recursive: true }),
    (tx: FileSystemTransaction) => tx.writeFile('/private/new', bytesOf('new')),
  ])
    await expectCode(
      fs.transaction(PERSON, async (tx) => change(tx)),
      'EACCES',
    );
  expect(await readdir(join(root, 'private'))).toEqual(['key']);
  expect(await readdir(join(root, '.git/hooks'))).toEqual(['post-commit']);
});

test('an unlisted path is found by its name only, and nobody changes it', async () => {
  await mkdir(join(root, 'own'));
  await writeFile(join(root, 'own/note'), 'x');
  await writeFile(join(root, 'seen'), 'x');
  const accessOf = (path: string) => (path === '/own' || path === '/own/note' ? 'unlisted' : 'open');
  const fs = new TreeFileSystem(await DiskStorage.open(root, { accessOf }));
  const names = async () => (await fs.readdir('/')).map(({ name }) => name);
  expect(await names()).toEqual(['seen']);
  expect(await readText(fs, '/own/note')).toBe('x');
  expect(await names()).toEqual(['seen']);
  expect(await readText(fs, '/own/note')).toBe('x');
  await expectCode(writeText(fs, '/own/note', 'y'), 'EACCES');
  await expectCode(
    fs.transaction(PERSON, async (tx) => tx.rm('/own', { recursive: true })),
    'EACCES',
  );
});

test('a directory that is gone is an error of the workspace, with its code', async () => {
  const fs = await open(root);
  await rm(root, { recursive: true });
  await expectCode(fs.refresh(), 'ENOENT');
});

// More than 400 lines: one contract that every file system must fulfil.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileSystemErrorCode } from '../errors.ts';
import type { Author, FileChange, FileSystem, FileSystemTransaction } from '../file-system.ts';

export const PERSON: Author = { type: 'person' };
export const CALL: Author = { type: 'call', toolCallId: 'call-1' };

/** Only Node has this kind of view; its `slice` returns a view, too. */
const NODE_BUFFER: [string, (buffer: Uint8Array<ArrayBuffer>) => Uint8Array] = [
  'a Node Buffer',
  (buffer) => Buffer.from(buffer.buffer, 2, 3),
];

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export async function readText(fileSystem: Pick<FileSystem, 'readFile'>, path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await fileSystem.readFile(path));
}

export function writeText(fileSystem: FileSystem, path: string, text: string, author = PERSON): Promise<void> {
  return fileSystem.transaction(author, async (tx) => tx.writeFile(path, bytesOf(text)));
}

/** Fills a workspace: a string is a file, null a directory, `{ link }` a symlink. */
export async function fill(
  fileSystem: FileSystem,
  entries: Readonly<Record<string, string | null | { link: string }>>,
): Promise<void> {
  await fileSystem.transaction(PERSON, async (tx) => {
    for (const [path, entry] of Object.entries(entries)) {
      if (entry === null) tx.mkdir(path);
      else if (typeof entry === 'string') tx.writeFile(path, bytesOf(entry));
      else tx.symlink(entry.link, path);
    }
  });
}

/** The whole workspace by path, in the form that `fill` accepts, in directory order. */
export async function readTree(
  fileSystem: FileSystem,
  directory = '/',
): Promise<Record<string, string | null | { link: string }>> {
  const tree: Record<string, string | null | { link: string }> = {};
  for (const { name, type } of await fileSystem.readdir(directory)) {
    const path = directory === '/' ? `/${name}` : `${directory}/${name}`;
    if (type === 'file') tree[path] = await readText(fileSystem, path);
    else if (type === 'symlink') tree[path] = { link: await fileSystem.readlink(path) };
    else Object.assign(tree, { [path]: null }, await readTree(fileSystem, path));
  }
  return tree;
}

/** Reads and writes the number in a file: an update that concurrent writers must not lose. */
export function increment(fileSystem: FileSystem, path: string): Promise<number> {
  return fileSystem.transaction(PERSON, async (tx) => {
    const next = Number(await readText(tx, path)) + 1;
    tx.writeFile(path, bytesOf(String(next)));
    return next;
  });
}

export async function expectCode(operation: Promise<unknown>, code: FileSystemErrorCode): Promise<void> {
  await expect(operation).rejects.toMatchObject({ name: 'FileSystemError', code });
}

/** The contract of `FileSystem`, tested against every implementation. `open` returns a new, empty workspace. */
export function describeFileSystem(name: string, open: () => Promise<FileSystem>): void {
  describe(name, () => {
    let fs: FileSystem;

    beforeEach(async () => {
      fs = await open();
    });

    const change = (step: (tx: FileSystemTransaction) => void): Promise<void> =>
      fs.transaction(PERSON, async (tx) => step(tx));

    const refuses = (code: FileSystemErrorCode, step: (tx: FileSystemTransaction) => void): Promise<void> =>
      expectCode(change(step), code);

    describe('files', () => {
      test('a file is read back as it was written, and its missing parents are created', async () => {
        await writeText(fs, '/a/b/c.txt', 'content');
        expect(await readTree(fs)).toEqual({ '/a': null, '/a/b': null, '/a/b/c.txt': 'content' });
      });

      test('an overwritten file has all of the new content and none of the old', async () => {
        await writeText(fs, '/f', 'a long first content');
        await writeText(fs, '/f', 'short');
        expect(await readText(fs, '/f')).toBe('short');
        expect(await fs.stat('/f')).toMatchObject({ size: 5 });
      });

      test('binary content is intact: every byte, the empty file, and sizes in bytes', async () => {
        const all = Uint8Array.from({ length: 256 * 300 }, (_, index) => index % 256);
        await change((tx) => {
          tx.writeFile('/all.bin', all);
          tx.writeFile('/empty', new Uint8Array());
          tx.writeFile('/wide.txt', bytesOf('界'));
        });
        expect(await fs.readFile('/all.bin')).toEqual(all);
        expect(await fs.readFile('/empty')).toEqual(new Uint8Array());
        expect((await fs.stat('/all.bin')).size).toBe(all.byteLength);
        expect((await fs.stat('/empty')).size).toBe(0);
        expect((await fs.stat('/wide.txt')).size).toBe(3);
      });

      test.each([
        ['a subarray', (buffer: Uint8Array<ArrayBuffer>) => buffer.subarray(2, 5)],
        ...(typeof Buffer === 'undefined' ? [] : [NODE_BUFFER]),
      ])('a file written from %s does not depend on the caller’s memory', async (_, viewOf) => {
        const buffer = bytesOf('0123456789') as Uint8Array<ArrayBuffer>;
        await fs.transaction(PERSON, async (tx) => {
          tx.writeFile('/f', viewOf(buffer));
          buffer.fill(0);
          expect(await readText(tx, '/f')).toBe('234');
        });
        buffer.fill(1);
        const stored = await fs.readFile('/f');
        expect(new TextDecoder().decode(stored)).toBe('234');
        expect(stored.buffer.byteLength).toBe(3);
      });

      test('many files are read at once, in the order of their paths', async () => {
        const files = Object.fromEntries(
          Array.from({ length: 150 }, (_, index) => [`/d/${index}`, `content ${index}`]),
        );
        await fill(fs, files);
        await writeText(fs, '/empty', '');
        const paths = [...Object.keys(files).reverse(), '/empty', '/d/7', '/d/7'];
        const texts = (await fs.readFiles(paths)).map((data) => new TextDecoder().decode(data));
        expect(texts).toEqual(paths.map((path) => files[path] ?? ''));
        expect(await fs.readFiles([])).toEqual([]);
        await fs.transaction(PERSON, async (tx) => {
          tx.writeFile('/d/7', bytesOf('in here'));
          expect((await tx.readFiles(['/d/7', '/d/8'])).map((data) => new TextDecoder().decode(data))).toEqual([
            'in here',
            'content 8',
          ]);
        });
        await expectCode(fs.readFiles(['/d/7', '/d/none']), 'ENOENT');
        await expectCode(fs.readFiles(['/d/7'], { maxBytes: 3 }), 'EFBIG');
      });

      test('bytes that were read do not change when the file is overwritten', async () => {
        await writeText(fs, '/f', 'old');
        const before = await fs.readFile('/f');
        await writeText(fs, '/f', 'new');
        expect(new TextDecoder().decode(before)).toBe('old');
      });

      test('an overwrite keeps the mode; the default is 0644', async () => {
        await change((tx) => {
          tx.writeFile('/run.sh', bytesOf('#!'), { mode: 0o755 });
          tx.writeFile('/plain', bytesOf(''));
        });
        await writeText(fs, '/run.sh', '#!/bin/sh');
        expect((await fs.stat('/run.sh')).mode).toBe(0o755);
        expect((await fs.stat('/plain')).mode).toBe(0o644);
      });

      test('permission bits and the modification time can be set, together or separately, also through links', async () => {
        await fill(fs, { '/f': 'x', '/l': { link: '/f' }, '/d': null });
        const { version } = await fs.stat('/f');
        await change((tx) => {
          tx.setAttributes('/l', { mode: 0o100755, mtimeMs: 1234 });
          tx.setAttributes('/d', { mode: 0o700 });
        });
        expect(await fs.stat('/f')).toMatchObject({ mode: 0o755, mtimeMs: 1234, size: 1 });
        expect((await fs.stat('/f')).version).toBeGreaterThan(version);
        expect((await fs.stat('/d')).mode).toBe(0o700);
        expect(await readText(fs, '/f')).toBe('x');
        await refuses('ENOENT', (tx) => tx.setAttributes('/no', { mode: 0o644 }));
      });

      test('stat returns when a file was written, in milliseconds', async () => {
        const before = Date.now();
        await writeText(fs, '/f', 'x');
        const { mtimeMs } = await fs.stat('/f');
        expect(mtimeMs).toBeGreaterThanOrEqual(before);
        expect(mtimeMs).toBeLessThanOrEqual(Date.now());
      });

      test('a path that does not exist is ENOENT, and the error names it', async () => {
        await expect(fs.readFile('/no/file')).rejects.toMatchObject({ code: 'ENOENT', path: '/no/file' });
        await expectCode(fs.stat('/no'), 'ENOENT');
        await expectCode(fs.lstat('/no'), 'ENOENT');
        await expectCode(fs.readdir('/no'), 'ENOENT');
        await expectCode(fs.readlink('/no'), 'ENOENT');
        await refuses('ENOENT', (tx) => tx.rm('/no'));
        await refuses('ENOENT', (tx) => tx.rename('/no', '/x'));
        await refuses('ENOENT', (tx) => tx.copy('/no', '/x'));
      });
    });

    describe('directories', () => {
      test('a new workspace is an empty directory', async () => {
        expect(await fs.readdir('/')).toEqual([]);
        expect(await fs.stat('/')).toMatchObject({ type: 'directory', size: 0 });
      });

      test('an empty directory exists, with its parents, and stays when its last file is removed', async () => {
        await fill(fs, { '/a/b': null, '/a/c/f': 'x' });
        await change((tx) => tx.rm('/a/c/f'));
        expect(await readTree(fs)).toEqual({ '/a': null, '/a/b': null, '/a/c': null });
      });

      test('creating an existing directory changes nothing; over a file it is EEXIST', async () => {
        await fill(fs, { '/a/f': 'x' });
        const { version } = await fs.stat('/a');
        await change((tx) => tx.mkdir('/a'));
        expect((await fs.stat('/a')).version).toBe(version);
        await refuses('EEXIST', (tx) => tx.mkdir('/a/f'));
        expect(await readTree(fs)).toEqual({ '/a': null, '/a/f': 'x' });
      });

      test('entries are sorted by code unit, with their types and sizes', async () => {
        await fill(fs, {
          '/b': 'x',
          '/B': null,
          '/é': 'x',
          '/10': 'x',
          '/9': { link: '/b' },
          '/_': null,
          '/b.c/d': 'x',
        });
        expect(await fs.readdir('/')).toEqual([
          { name: '10', type: 'file', size: 1 },
          { name: '9', type: 'symlink', size: 2 },
          { name: 'B', type: 'directory', size: 0 },
          { name: '_', type: 'directory', size: 0 },
          { name: 'b', type: 'file', size: 1 },
          { name: 'b.c', type: 'directory', size: 0 },
          { name: 'é', type: 'file', size: 1 },
        ]);
      });

      test('a directory is not a file: EISDIR', async () => {
        await fill(fs, { '/d': null });
        await expectCode(fs.readFile('/d'), 'EISDIR');
        await expectCode(fs.readFile('/'), 'EISDIR');
        await refuses('EISDIR', (tx) => tx.writeFile('/d', bytesOf('x')));
        await refuses('EISDIR', (tx) => tx.writeFile('/', bytesOf('x')));
      });

      test('a file is not a directory: ENOTDIR, and it stays unchanged', async () => {
        await fill(fs, { '/f': 'x', '/g': 'y' });
        await expectCode(fs.readdir('/f'), 'ENOTDIR');
        await expectCode(fs.readFile('/f/x'), 'ENOTDIR');
        await expectCode(fs.stat('/f/x/y'), 'ENOTDIR');
        await refuses('ENOTDIR', (tx) => tx.writeFile('/f/x', bytesOf('')));
        await refuses('ENOTDIR', (tx) => tx.mkdir('/f/x/y'));
        await refuses('ENOTDIR', (tx) => tx.symlink('/g', '/f/x'));
        await refuses('ENOTDIR', (tx) => tx.rename('/g', '/f/x'));
        await refuses('ENOTDIR', (tx) => tx.copy('/g', '/f/x'));
        await refuses('ENOTDIR', (tx) => tx.rm('/f/x'));
        expect(await readTree(fs)).toEqual({ '/f': 'x', '/g': 'y' });
      });
    });

    describe('symlinks', () => {
      test('real paths are told whether or not anything is there; a last link can be kept', async () => {
        await fill(fs, {
          '/dir/file': 'x',
          '/link': { link: 'dir' },
          '/dir/up': { link: '../none' },
          '/loop': { link: 'loop' },
        });
        expect(fs.realPath('/link/../link/./file')).toBe('/dir/file');
        expect(fs.realPath('/link/new/deep')).toBe('/dir/new/deep');
        expect(fs.realPath('/link/up/x')).toBe('/none/x');
        expect(fs.realPath('/link', { followLast: false })).toBe('/link');
        expect(fs.realPath('/link/up', { followLast: false })).toBe('/dir/up');
        expect(fs.realPath('/')).toBe('/');
        expect(() => fs.realPath('/loop')).toThrow('ELOOP');
        expect(() => fs.realPath('/dir/file/x')).toThrow('ENOTDIR');
      });

      test('everything below a folder is named, before and in a transaction, but nothing behind links', async () => {
        await fill(fs, { '/dir/deep/file': 'x', '/dir/link': { link: '/other' }, '/other/y': 'y' });
        const below = ['/dir/deep', '/dir/deep/file', '/dir/link'];
        expect([...fs.pathsBelow('/dir')].sort()).toEqual(below);
        expect([...fs.pathsBelow('/dir/link')]).toEqual([]);
        expect([...fs.pathsBelow('/none')]).toEqual([]);
        await fs.transaction(PERSON, async (tx) => {
          tx.rename('/dir', '/moved');
          expect([...tx.pathsBelow('/moved')].sort()).toEqual(below.map((path) => path.replace('dir', 'moved')));
          expect(tx.realPath('/moved/link/y')).toBe('/other/y');
        });
      });

      test('reads and writes go through a link to its target; lstat and readlink see the link', async () => {
        await fill(fs, { '/dir/file': 'x', '/link': { link: '/dir/file' } });
        await writeText(fs, '/link', 'through');
        expect(await readText(fs, '/dir/file')).toBe('through');
        expect(await readText(fs, '/link')).toBe('through');
        expect(await fs.stat('/link')).toEqual(await fs.stat('/dir/file'));
        expect(await fs.lstat('/link')).toMatchObject({ type: 'symlink', size: '/dir/file'.length });
        expect(await fs.readlink('/link')).toBe('/dir/file');
      });

      test('a relative target starts at the link’s own directory, and a link may point to a directory', async () => {
        await fill(fs, { '/a/target/f': 'x', '/a/b/link': { link: '../target' }, '/to-b': { link: 'a/b' } });
        expect(await readText(fs, '/a/b/link/f')).toBe('x');
        expect(await readText(fs, '/to-b/link/f')).toBe('x');
        expect(await fs.readdir('/to-b/link')).toEqual([{ name: 'f', type: 'file', size: 1 }]);
        await writeText(fs, '/to-b/link/g', 'y');
        expect(await readText(fs, '/a/target/g')).toBe('y');
      });

      test('a loop is ELOOP and does not hang; the link itself can be inspected and removed', async () => {
        await fill(fs, { '/a': { link: '/b' }, '/b': { link: '/a' }, '/self': { link: 'self' } });
        await expectCode(fs.readFile('/a'), 'ELOOP');
        await expectCode(fs.stat('/self'), 'ELOOP');
        await expectCode(fs.readdir('/a/x'), 'ELOOP');
        await refuses('ELOOP', (tx) => tx.writeFile('/b', bytesOf('x')));
        expect(await fs.lstat('/a')).toMatchObject({ type: 'symlink' });
        await change((tx) => tx.rm('/a'));
        await expectCode(fs.readFile('/b'), 'ENOENT');
      });

      test('a dangling link is ENOENT to readers; a write creates its target', async () => {
        await fill(fs, { '/link': { link: '/not/there' } });
        await expectCode(fs.readFile('/link'), 'ENOENT');
        await expectCode(fs.stat('/link'), 'ENOENT');
        expect((await fs.lstat('/link')).type).toBe('symlink');
        await writeText(fs, '/link', 'x');
        expect(await readText(fs, '/not/there')).toBe('x');
      });

      test('a link cannot lead outside the workspace', async () => {
        await fill(fs, { '/d/link': { link: '../../etc/passwd' } });
        await expectCode(fs.readFile('/d/link'), 'EINVAL');
        await refuses('EINVAL', (tx) => tx.writeFile('/d/link', bytesOf('x')));
      });

      test('removing, moving and copying a link leaves its target alone', async () => {
        await fill(fs, { '/dir/f': 'x', '/one': { link: '/dir' }, '/two': { link: '/dir' } });
        await change((tx) => {
          tx.rm('/one', { recursive: true });
          tx.copy('/two', '/three');
          tx.rename('/two', '/four');
        });
        expect(await readTree(fs)).toEqual({
          '/dir': null,
          '/dir/f': 'x',
          '/four': { link: '/dir' },
          '/three': { link: '/dir' },
        });
      });

      test('a link does not replace an existing entry, and only links can be read as links', async () => {
        await fill(fs, { '/f': 'x', '/d': null, '/l': { link: '/f' } });
        for (const path of ['/f', '/d', '/l', '/']) await refuses('EEXIST', (tx) => tx.symlink('/d', path));
        await expectCode(fs.readlink('/f'), 'EINVAL');
        await expectCode(fs.readlink('/d'), 'EINVAL');
      });

      test('the size of a link is the length of its target in bytes', async () => {
        await fill(fs, { '/l': { link: '/界' } });
        expect((await fs.lstat('/l')).size).toBe(4);
      });
    });

    describe('rename and copy', () => {
      const SUBTREE = { '/d': null, '/d/f': 'x', '/d/empty': null, '/d/deep/g': 'y', '/d/link': { link: 'f' } };

      test('a renamed file keeps its content and mode; the target’s parents are created, the target is replaced', async () => {
        await change((tx) => tx.writeFile('/from', bytesOf('x'), { mode: 0o755 }));
        await fill(fs, { '/there': 'old' });
        await change((tx) => tx.rename('/from', '/new/place'));
        expect((await fs.stat('/new/place')).mode).toBe(0o755);
        await change((tx) => tx.rename('/new/place', '/there'));
        expect(await readTree(fs)).toEqual({ '/new': null, '/there': 'x' });
      });

      test('a renamed directory takes everything below it', async () => {
        await fill(fs, SUBTREE);
        await change((tx) => tx.rename('/d', '/p/e'));
        expect(await readTree(fs)).toEqual({
          '/p': null,
          '/p/e': null,
          '/p/e/deep': null,
          '/p/e/deep/g': 'y',
          '/p/e/empty': null,
          '/p/e/f': 'x',
          '/p/e/link': { link: 'f' },
        });
      });

      test('a copied directory is independent of the original in both directions', async () => {
        await fill(fs, SUBTREE);
        await change((tx) => tx.copy('/d', '/e'));
        await writeText(fs, '/d/f', 'changed');
        await writeText(fs, '/e/deep/g', 'changed too');
        expect(await readText(fs, '/e/f')).toBe('x');
        expect(await readText(fs, '/d/deep/g')).toBe('y');
        await change((tx) => tx.rm('/d', { recursive: true }));
        expect(await readText(fs, '/e/f')).toBe('x');
        expect(await readText(fs, '/e/link')).toBe('x');
      });

      test('a rename to its own path changes nothing', async () => {
        await fill(fs, SUBTREE);
        const before = await readTree(fs);
        await change((tx) => tx.rename('/d', '/d'));
        await change((tx) => tx.rename('/d/f', '/d/../d/f'));
        expect(await readTree(fs)).toEqual(before);
      });

      test('a directory cannot be moved or copied into itself: EINVAL, and nothing is lost', async () => {
        await fill(fs, SUBTREE);
        const before = await readTree(fs);
        await refuses('EINVAL', (tx) => tx.rename('/d', '/d/deep/d'));
        await refuses('EINVAL', (tx) => tx.copy('/d', '/d/e'));
        await refuses('EINVAL', (tx) => tx.rename('/', '/x'));
        expect(await readTree(fs)).toEqual(before);
        // A sibling whose name has the same prefix is not inside.
        await change((tx) => tx.rename('/d', '/d2'));
        expect(await readText(fs, '/d2/f')).toBe('x');
      });

      test('only an empty directory can be replaced, and only by a directory', async () => {
        await fill(fs, { '/f': 'x', '/full/f': 'y', '/empty': null, '/d/g': 'z' });
        await refuses('EISDIR', (tx) => tx.rename('/f', '/empty'));
        await refuses('ENOTEMPTY', (tx) => tx.rename('/d', '/full'));
        await refuses('ENOTDIR', (tx) => tx.rename('/d', '/f'));
        await refuses('ENOTEMPTY', (tx) => tx.rename('/full', '/'));
        await change((tx) => tx.rename('/d', '/empty'));
        expect(await readTree(fs)).toEqual({
          '/empty': null,
          '/empty/g': 'z',
          '/f': 'x',
          '/full': null,
          '/full/f': 'y',
        });
      });
    });

    describe('rm', () => {
      test('a directory that is not empty is removed only with `recursive`: ENOTEMPTY', async () => {
        await fill(fs, { '/d/deep/f': 'x', '/d/g': 'y', '/e': null, '/keep': 'z' });
        await refuses('ENOTEMPTY', (tx) => tx.rm('/d'));
        expect(await readText(fs, '/d/deep/f')).toBe('x');
        await change((tx) => {
          tx.rm('/e');
          tx.rm('/d', { recursive: true });
        });
        expect(await readTree(fs)).toEqual({ '/keep': 'z' });
        await expectCode(fs.readFile('/d/deep/f'), 'ENOENT');
      });

      test('the root is never removed: EINVAL', async () => {
        await fill(fs, { '/f': 'x' });
        await refuses('EINVAL', (tx) => tx.rm('/'));
        await refuses('EINVAL', (tx) => tx.rm('/', { recursive: true }));
        expect(await readTree(fs)).toEqual({ '/f': 'x' });
      });

      test('nothing in a removed directory comes back with a new one of the same name', async () => {
        await fill(fs, { '/d/old/f': 'x' });
        await change((tx) => tx.rm('/d', { recursive: true }));
        await change((tx) => tx.mkdir('/d'));
        expect(await readTree(fs)).toEqual({ '/d': null });
      });

      test('a file can take the place of a directory, and a directory that of a file', async () => {
        await fill(fs, { '/a/f': 'x', '/b': 'y' });
        await change((tx) => {
          tx.rm('/a', { recursive: true });
          tx.writeFile('/a', bytesOf('file'));
          tx.rm('/b');
          tx.writeFile('/b/f', bytesOf('below'));
        });
        expect(await readTree(fs)).toEqual({ '/a': 'file', '/b': null, '/b/f': 'below' });
      });
    });

    describe('transactions', () => {
      test('[R19] a change that throws leaves nothing behind, and its own error is thrown', async () => {
        await fill(fs, { '/f': 'x', '/d/g': 'y' });
        const before = await readTree(fs);
        const { version } = await fs.stat('/f');
        const reports: unknown[] = [];
        fs.watch((changes) => reports.push(changes));
        const thrown = new Error('not now');
        await expect(
          fs.transaction(CALL, async (tx) => {
            tx.writeFile('/f', bytesOf('changed'));
            tx.writeFile('/new/file', bytesOf('new'));
            tx.rm('/d', { recursive: true });
            throw thrown;
          }),
        ).rejects.toBe(thrown);
        expect(await readTree(fs)).toEqual(before);
        expect((await fs.stat('/f')).version).toBe(version);
        expect(reports).toEqual([]);
      });

      test('[R19] a change that fails halfway through leaves nothing of its first half', async () => {
        await refuses('ENOENT', (tx) => {
          tx.writeFile('/a', bytesOf('x'));
          tx.rm('/missing');
        });
        expect(await readTree(fs)).toEqual({});
      });

      test('an impossible change throws immediately, so that the transaction can do something else instead', async () => {
        await change((tx) => {
          expect(() => tx.rm('/missing')).toThrow('ENOENT');
          tx.writeFile('/instead', bytesOf('x'));
        });
        expect(await readTree(fs)).toEqual({ '/instead': 'x' });
      });

      test('reads inside a transaction see its own changes', async () => {
        await fill(fs, { '/f': 'old', '/d/one': '1', '/d/two': '2', '/link': { link: '/f' } });
        await fs.transaction(PERSON, async (tx) => {
          tx.writeFile('/f', bytesOf('new'));
          expect(await readText(tx, '/f')).toBe('new');
          expect(await readText(tx, '/link')).toBe('new');
          expect((await tx.stat('/f')).size).toBe(3);
          tx.rm('/d/one');
          tx.writeFile('/d/three', bytesOf('3'));
          expect((await tx.readdir('/d')).map(({ name }) => name)).toEqual(['three', 'two']);
          tx.rename('/d', '/e');
          expect(await readText(tx, '/e/three')).toBe('3');
          await expectCode(tx.readdir('/d'), 'ENOENT');
          tx.writeFile('/d/fresh', bytesOf('x'));
          expect((await tx.readdir('/d')).map(({ name }) => name)).toEqual(['fresh']);
          tx.rm('/link');
          tx.symlink('/e/two', '/link');
          expect(await tx.readlink('/link')).toBe('/e/two');
          expect((await tx.lstat('/link')).type).toBe('symlink');
          expect(await readText(tx, '/link')).toBe('2');
        });
        expect(await readTree(fs)).toEqual({
          '/d': null,
          '/d/fresh': 'x',
          '/e': null,
          '/e/three': '3',
          '/e/two': '2',
          '/f': 'new',
          '/link': { link: '/e/two' },
        });
      });

      test('[R19] nobody else sees a change before its transaction is complete', async () => {
        await fill(fs, { '/f': 'old' });
        await fs.transaction(PERSON, async (tx) => {
          tx.writeFile('/f', bytesOf('new'));
          tx.writeFile('/g', bytesOf('new'));
          expect(await readTree(fs)).toEqual({ '/f': 'old' });
        });
        expect(await readTree(fs)).toEqual({ '/f': 'new', '/g': 'new' });
      });

      test('a transaction resolves with what its change returns, even if it changed nothing', async () => {
        expect(await fs.transaction(PERSON, async () => 42)).toBe(42);
      });

      test('[R19] concurrent read-modify-writes do not lose each other’s updates', async () => {
        await fill(fs, { '/n': '0' });
        const results = await Promise.all(Array.from({ length: 20 }, () => increment(fs, '/n')));
        expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
        expect(await readText(fs, '/n')).toBe('20');
      });

      test('a transaction after a failed one is not held up', async () => {
        const failing = change((tx) => tx.rm('/missing'));
        const next = writeText(fs, '/f', 'x');
        await expectCode(failing, 'ENOENT');
        await next;
        expect(await readText(fs, '/f')).toBe('x');
      });
    });

    describe('versions', () => {
      test('[R19] a write with an old version is refused with ESTALE and changes nothing', async () => {
        await writeText(fs, '/f', 'one');
        const { version } = await fs.stat('/f');
        await change((tx) => tx.writeFile('/f', bytesOf('two'), { ifVersion: version }));
        await refuses('ESTALE', (tx) => tx.writeFile('/f', bytesOf('three'), { ifVersion: version }));
        expect(await readText(fs, '/f')).toBe('two');
      });

      test('[R19] version 0 means: must not exist', async () => {
        await change((tx) => tx.writeFile('/new', bytesOf('x'), { ifVersion: 0 }));
        await refuses('ESTALE', (tx) => tx.writeFile('/new', bytesOf('y'), { ifVersion: 0 }));
        await refuses('ESTALE', (tx) => tx.writeFile('/other', bytesOf('y'), { ifVersion: 7 }));
        expect(await readTree(fs)).toEqual({ '/new': 'x' });
      });

      test('[R19] a version is never reused, not even for a file that was removed and created again', async () => {
        const seen = new Set<number>();
        for (let round = 0; round < 3; round++) {
          await writeText(fs, '/f', 'same');
          seen.add((await fs.stat('/f')).version);
          await writeText(fs, '/f', 'same');
          seen.add((await fs.stat('/f')).version);
          await change((tx) => tx.rm('/f'));
        }
        expect(seen.size).toBe(6);
      });

      test('a commit leaves the versions of other files alone', async () => {
        await fill(fs, { '/a': 'x' });
        const before = await fs.stat('/a');
        await writeText(fs, '/b', 'y');
        expect(await fs.stat('/a')).toEqual(before);
      });
    });

    describe('watch', () => {
      let reports: (readonly FileChange[])[];

      const watch = () => {
        reports = [];
        return fs.watch((changes) => reports.push(changes));
      };

      test('[R19] each commit is reported once, with its author and the change to each path', async () => {
        await fill(fs, { '/changed': 'x', '/deleted': 'x', '/untouched': 'x' });
        watch();
        await fs.transaction(CALL, async (tx) => {
          tx.writeFile('/changed', bytesOf('y'));
          tx.writeFile('/new/file', bytesOf('z'));
          tx.rm('/deleted');
        });
        await writeText(fs, '/changed', 'again');
        expect(reports).toHaveLength(2);
        expect(reports[0]?.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
          { path: '/changed', type: 'changed', author: CALL },
          { path: '/deleted', type: 'deleted', author: CALL },
          { path: '/new', type: 'created', author: CALL },
          { path: '/new/file', type: 'created', author: CALL },
        ]);
        expect(reports[1]).toEqual([{ path: '/changed', type: 'changed', author: PERSON }]);
      });

      test('a rename is a deletion and a creation of everything that moved', async () => {
        await fill(fs, { '/d/f': 'x' });
        watch();
        await change((tx) => tx.rename('/d', '/e'));
        expect(new Set(reports[0]?.map(({ path, type }) => `${type} ${path}`))).toEqual(
          new Set(['deleted /d', 'deleted /d/f', 'created /e', 'created /e/f']),
        );
      });

      test('what was created and removed in one transaction, or only read, is not reported', async () => {
        await fill(fs, { '/f': 'x' });
        watch();
        await change((tx) => {
          tx.writeFile('/temporary', bytesOf('x'));
          tx.rm('/temporary');
        });
        await fs.transaction(PERSON, (tx) => tx.readFile('/f'));
        expect(reports).toEqual([]);
      });

      test('a change is readable when it is reported, and nothing is reported after unwatching', async () => {
        const read: Promise<string>[] = [];
        const unwatch = fs.watch(() => read.push(readText(fs, '/f')));
        await writeText(fs, '/f', 'new');
        expect(await Promise.all(read)).toEqual(['new']);
        unwatch();
        await writeText(fs, '/f', 'newer');
        expect(read).toHaveLength(1);
      });

      test('a listener that fails does not affect the writer or other listeners, and its error is reported', async () => {
        const errors: unknown[] = [];
        const microtasks = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
          try {
            task();
          } catch (error) {
            errors.push(error);
          }
        });
        const seen: string[] = [];
        fs.watch(() => {
          throw new Error('broken view');
        });
        fs.watch(([change]) => seen.push(change?.path ?? ''));
        await writeText(fs, '/f', 'new');
        microtasks.mockRestore();
        expect(seen).toEqual(['/f']);
        expect(errors).toEqual([new Error('broken view')]);
        expect(await readText(fs, '/f')).toBe('new');
      });
    });

    describe('names and paths', () => {
      const NAMES = [
        '日本語.txt',
        'Ünï cödé',
        'кот',
        'שלום',
        '👩‍👩‍👧.md',
        'e\u0301',
        '\u00e9',
        'with space',
        'back\\slash',
        'line\nbreak',
        '%2e%2e',
        '...',
        '-rf',
        '__proto__',
        'constructor',
        'hasOwnProperty',
      ];

      test('names in any script are kept unchanged, and are names, not code', async () => {
        for (const name of NAMES) await writeText(fs, `/d/${name}`, name);
        expect((await fs.readdir('/d')).map((entry) => entry.name)).toEqual(NAMES.toSorted());
        for (const name of NAMES) expect(await readText(fs, `/d/${name}`)).toBe(name);
      });

      test('names of built-in JavaScript properties do not exist until they are created', async () => {
        for (const name of ['__proto__', 'constructor', 'toString']) await expectCode(fs.stat(`/${name}`), 'ENOENT');
      });

      test('a name can have up to 255 bytes, however many characters that is', async () => {
        const [long, wide] = ['a'.repeat(255), '界'.repeat(85)];
        await fill(fs, { [`/${long}`]: 'x', [`/${wide}/f`]: 'y' });
        expect(await readText(fs, `/${long}`)).toBe('x');
        expect(await readText(fs, `/${wide}/f`)).toBe('y');
        await refuses('ENAMETOOLONG', (tx) => tx.writeFile(`/${long}a`, bytesOf('x')));
        await refuses('ENAMETOOLONG', (tx) => tx.mkdir(`/${wide}界`));
        await refuses('ENAMETOOLONG', (tx) => tx.rename(`/${long}`, `/${long}b`));
        await expectCode(fs.stat(`/${wide}界`), 'ENAMETOOLONG');
      });

      test('dots, empty segments and a missing leading slash lead to the same file', async () => {
        await writeText(fs, 'a//b/./c/../f', 'x');
        for (const path of ['/a/b/f', 'a/b/f', '/a/b/f/', './a/b/f', '/x/../a/b/f']) {
          expect(await readText(fs, path)).toBe('x');
        }
      });

      test.each(['/..', '../x', '/a/../../x', '/a\0b', '\0'])('%j is EINVAL for every operation', async (path) => {
        await fill(fs, { '/f': 'x' });
        await expectCode(fs.readFile(path), 'EINVAL');
        await expectCode(fs.readdir(path), 'EINVAL');
        await expectCode(fs.stat(path), 'EINVAL');
        await expectCode(fs.lstat(path), 'EINVAL');
        await expectCode(fs.readlink(path), 'EINVAL');
        await refuses('EINVAL', (tx) => tx.writeFile(path, bytesOf('x')));
        await refuses('EINVAL', (tx) => tx.mkdir(path));
        await refuses('EINVAL', (tx) => tx.symlink('/f', path));
        await refuses('EINVAL', (tx) => tx.rename('/f', path));
        await refuses('EINVAL', (tx) => tx.rename(path, '/g'));
        await refuses('EINVAL', (tx) => tx.copy('/f', path));
        await refuses('EINVAL', (tx) => tx.rm(path, { recursive: true }));
        expect(await readTree(fs)).toEqual({ '/f': 'x' });
      });
    });
  });
}

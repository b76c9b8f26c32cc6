import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryFileSystem } from './memory-file-system.ts';
import { FileSystemPromises } from './promises.ts';
import { CALL, expectCode, fill, readTree } from './test/contract.ts';
import { testGit } from './test/git.ts';

let fileSystem: MemoryFileSystem;
let fs: FileSystemPromises;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fs = new FileSystemPromises(fileSystem, CALL);
});

testGit('MemoryFileSystem', async () => new MemoryFileSystem());

describe('the interface of Node’s fs.promises', () => {
  test('methods work when detached from their object, as clients use them', async () => {
    const { writeFile, readFile } = fs;
    await writeFile('/f', 'text');
    expect(await readFile('/f', 'utf8')).toBe('text');
    expect(await readFile('/f', { encoding: 'utf8' })).toBe('text');
    expect(await readFile('/f')).toEqual(new TextEncoder().encode('text'));
  });

  test('bytes that were read belong to the caller', async () => {
    await fs.writeFile('/f', 'text');
    const data = await fs.readFile('/f');
    if (data instanceof Uint8Array) data.fill(0);
    expect(await fs.readFile('/f', 'utf8')).toBe('text');
  });

  test('missing parents are not created, and existing entries are not created again', async () => {
    await expectCode(fs.writeFile('/d/f', 'x'), 'ENOENT');
    await expectCode(fs.mkdir('/d/e'), 'ENOENT');
    await expectCode(fs.rename('/no', '/d/f'), 'ENOENT');
    await fs.mkdir('/d');
    await expectCode(fs.mkdir('/d'), 'EEXIST');
    await fs.mkdir('/d', { recursive: true });
    await fs.mkdir('/a/b/c', { recursive: true });
    expect(await readTree(fileSystem)).toEqual({ '/a': null, '/a/b': null, '/a/b/c': null, '/d': null });
  });

  test('each type of entry is removed by its own call', async () => {
    await fill(fileSystem, { '/f': 'x', '/d/g': 'y', '/l': { link: '/d' } });
    await expectCode(fs.unlink('/d'), 'EISDIR');
    await expectCode(fs.rmdir('/f'), 'ENOTDIR');
    await expectCode(fs.rmdir('/d'), 'ENOTEMPTY');
    await expectCode(fs.rm('/d'), 'EISDIR');
    await expectCode(fs.rm('/no'), 'ENOENT');
    await fs.rm('/no', { force: true });
    await fs.unlink('/l');
    await fs.unlink('/f');
    await fs.rm('/d', { recursive: true });
    expect(await readTree(fileSystem)).toEqual({});
  });

  test('stats have the type in their mode bits, and a different inode number after each write', async () => {
    await fill(fileSystem, { '/f': 'x', '/d': null, '/l': { link: '/f' } });
    const before = await fs.stat('/f');
    expect([before.isFile(), before.mode, before.size]).toEqual([true, 0o100644, 1]);
    expect((await fs.stat('/d')).mode).toBe(0o040755);
    expect((await fs.lstat('/l')).isSymbolicLink()).toBe(true);
    expect((await fs.stat('/l')).isFile()).toBe(true);
    await fs.writeFile('/f', 'y');
    expect((await fs.stat('/f')).ino).not.toBe(before.ino);
  });

  test('modes, times and appended text are stored', async () => {
    await fs.writeFile('/f', 'a', { mode: 0o755 });
    await fs.appendFile('/f', 'b');
    await fs.appendFile('/g', 'c');
    await fs.chmod('/g', 0o600);
    await fs.utimes('/f', 1, 2);
    expect([await fs.readFile('/f', 'utf8'), await fs.readFile('/g', 'utf8')]).toEqual(['ab', 'c']);
    expect([(await fs.stat('/f')).mode & 0o777, (await fs.stat('/g')).mode & 0o777]).toEqual([0o755, 0o600]);
    expect((await fs.stat('/f')).mtimeMs).toBe(2000);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill, readTree } from '#lib/vfs/test/contract.ts';
import { NOTHING_KNOWN } from '../execution/known-files.ts';
import { runTool } from '../test/run-tool.ts';
import { copyPath } from './copy-path.ts';
import { makeDirectory } from './make-directory.ts';
import { movePath } from './move-path.ts';

const TREE = { '/a': null, '/a/one.txt': '1', '/a/two.txt': '2', '/b.txt': 'b' };

let fileSystem: MemoryFileSystem;

beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  await fill(fileSystem, TREE);
});

describe('make_directory', () => {
  test('creates it with its parents, once', async () => {
    await runTool(makeDirectory, { path: '/x/y' }, fileSystem);
    await runTool(makeDirectory, { path: '/x/y' }, fileSystem);
    expect(await readTree(fileSystem)).toEqual({ ...TREE, '/x': null, '/x/y': null });
  });

  test('fails if a file is in the way', async () => {
    await expect(runTool(makeDirectory, { path: '/b.txt' }, fileSystem)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('move_path', () => {
  test('renames a directory with its contents, and creates the parents of its new path', async () => {
    const output = await runTool(movePath, { from: 'a', to: '/new/place' }, fileSystem);
    expect(output.content).toBe('Success: /a is now /new/place.');
    expect(await readTree(fileSystem)).toEqual({
      '/b.txt': 'b',
      '/new': null,
      '/new/place': null,
      '/new/place/one.txt': '1',
      '/new/place/two.txt': '2',
    });
  });

  test('replaces an existing file that the model knows', async () => {
    const hash = await sha256(new TextEncoder().encode('1'));
    const known = { ...NOTHING_KNOWN, hashOf: () => hash };
    await runTool(movePath, { from: '/b.txt', to: '/a/one.txt' }, fileSystem, { known });
    expect(await readTree(fileSystem)).toEqual({ '/a': null, '/a/one.txt': 'b', '/a/two.txt': '2' });
  });

  test.each([
    ['has not read', undefined],
    ['read before the user changed it', 'hash of what it read'],
  ])('does not replace a file that the model %s', async (_, hash) => {
    const known = { ...NOTHING_KNOWN, hashOf: () => hash };
    for (const tool of [movePath, copyPath])
      await expect(runTool(tool, { from: '/b.txt', to: '/a/one.txt' }, fileSystem, { known })).rejects.toThrow(
        'Nothing was changed. /a/one.txt exists, and you have not read or written its current content.',
      );
    expect(await readTree(fileSystem)).toEqual(TREE);
    await runTool(movePath, { from: '/b.txt', to: '/b.txt' }, fileSystem, { known });
    expect(await readTree(fileSystem)).toEqual(TREE);
  });

  test.each([
    [{ from: '/none', to: '/x' }, 'ENOENT'],
    [{ from: '/a', to: '/a/inside' }, 'EINVAL'],
    [{ from: '/b.txt', to: '/a' }, 'EISDIR'],
    [{ from: '/a', to: '/b.txt' }, 'ENOTDIR'],
  ])('%j fails with %s, and nothing has changed', async (input, code) => {
    await expect(runTool(movePath, input, fileSystem)).rejects.toMatchObject({ code });
    expect(await readTree(fileSystem)).toEqual(TREE);
  });
});

describe('copy_path', () => {
  test('copies a directory; the copy is independent', async () => {
    await runTool(copyPath, { from: '/a', to: '/c' }, fileSystem);
    await fill(fileSystem, { '/c/one.txt': 'changed' });
    expect(await readTree(fileSystem)).toEqual({
      ...TREE,
      '/c': null,
      '/c/one.txt': 'changed',
      '/c/two.txt': '2',
    });
  });

  test('offers nothing to open, like similar tools, because the path may be a directory', () => {
    for (const tool of [copyPath, movePath, makeDirectory]) expect(tool.presentation.files).toBeUndefined();
  });
});

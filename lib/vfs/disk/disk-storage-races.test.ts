import { renameSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { bytesOf, PERSON, readText, readTree } from '#lib/vfs/test/contract.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { STAGING } from './apply-commit.ts';
import type { CommitRecorder } from './commit-recorder.ts';
import { DiskStorage } from './disk-storage.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'workspace-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('another program that changes something right before it is replaced', () => {
  /** Does something when the first commit is about to be made; what each commit would change. */
  async function openWith(meanwhile: () => Promise<void>) {
    const begun: string[][] = [];
    const recorder: CommitRecorder = {
      async begin({ changes }) {
        if (begun.push(changes.map(({ path }) => path)) === 1) await meanwhile();
        return { id: crypto.randomUUID(), done: async () => undefined, failed: async () => undefined };
      },
    };
    return { begun, fs: new TreeFileSystem(await DiskStorage.open(root, { recorder })) };
  }

  test.each([
    ['in place', () => writeFile(join(root, 'a'), 'theirs')],
    [
      'by another file',
      async () => {
        await writeFile(join(root, 'draft'), 'theirs');
        await rename(join(root, 'draft'), join(root, 'a'));
      },
    ],
  ])('is seen by the change, which is made again: %s', async (_, meanwhile) => {
    await writeFile(join(root, 'a'), 'old');
    const { fs } = await openWith(meanwhile);
    const seen: string[] = [];
    await fs.transaction(PERSON, async (tx) => {
      const text = new TextDecoder().decode(await tx.readFile('/a'));
      seen.push(text);
      tx.writeFile('/a', bytesOf(`${text} and mine`));
    });
    expect(seen).toEqual(['old', 'theirs']);
    expect(await readText(fs, '/a')).toBe('theirs and mine');
  });

  test('keeps what is new in a directory from being deleted unnoticed', async () => {
    await mkdir(join(root, 'd'));
    await writeFile(join(root, 'd/x'), 'x');
    await writeFile(join(root, 'd/y'), 'y');
    const { begun, fs } = await openWith(async () => {
      await writeFile(join(root, 'd/new'), 'new');
      await writeFile(join(root, 'd/y'), 'changed');
    });
    await fs
      .transaction(PERSON, async (tx) => {
        const names = (await tx.readdir('/d')).map(({ name }) => name);
        if (names.includes('new')) throw new Error('There is something new.');
        tx.rm('/d', { recursive: true });
      })
      .catch((error: Error) => expect(error.message).toBe('There is something new.'));
    expect(begun).toHaveLength(1);
    expect(await readText(fs, '/d/new')).toBe('new');
    expect(await readText(fs, '/d/y')).toBe('changed');
    expect(await readText(fs, '/d/x')).toBe('x');
  });

  test('keeps what is deleted and has changed', async () => {
    await writeFile(join(root, 'a'), 'old');
    const { fs } = await openWith(() => writeFile(join(root, 'a'), 'theirs'));
    const seen: string[] = [];
    await fs.transaction(PERSON, async (tx) => {
      seen.push(new TextDecoder().decode(await tx.readFile('/a')));
      tx.rm('/a');
    });
    expect(seen).toEqual(['old', 'theirs']);
  });

  test.each<[string, (place: string) => Promise<void>, (tx: FileSystemTransaction) => void]>([
    ['a file, for a new file', (place) => writeFile(place, 'theirs'), (tx) => tx.writeFile('/new', bytesOf('mine'))],
    ['a file, for a file that moves', (place) => writeFile(place, 'theirs'), (tx) => tx.rename('/a', '/new')],
    ['a file, for a folder', (place) => writeFile(place, 'theirs'), (tx) => tx.mkdir('/new')],
    ['a file, for a link', (place) => writeFile(place, 'theirs'), (tx) => tx.symlink('/a', '/new')],
    ['a folder, for a folder that moves', (place) => mkdir(place), (tx) => tx.rename('/d', '/new')],
  ])('keeps what appears where something is about to be created: %s', async (_, meanwhile, change) => {
    await writeFile(join(root, 'a'), 'a');
    await mkdir(join(root, 'd'));
    await writeFile(join(root, 'd/x'), 'x');
    const { begun, fs } = await openWith(() => meanwhile(join(root, 'new')));
    const attempt = fs.transaction(PERSON, async (tx) => {
      if ((await tx.readdir('/')).some(({ name }) => name === 'new')) throw new Error('It is there.');
      change(tx);
    });
    await expect(attempt).rejects.toThrow('It is there.');
    expect(begun).toHaveLength(1);
    const files = { '/a': 'a', '/d': null, '/d/x': 'x' };
    const theirs = (await fs.stat('/new')).type === 'directory' ? null : 'theirs';
    expect(await readTree(fs)).toEqual({ ...files, '/new': theirs });
  });

  test.each([
    ['by another program, in place', () => writeFileSync(join(root, 'a'), 'theirs')],
    [
      'by another program, by another file',
      () => {
        writeFileSync(join(root, 'draft'), 'theirs');
        renameSync(join(root, 'draft'), join(root, 'a'));
      },
    ],
  ])('a change that is taken back does not take back what was changed after it: %s', async (_, meanwhile) => {
    await writeFile(join(root, 'a'), 'old');
    await writeFile(join(root, 'b'), 'old');
    const storage = await DiskStorage.open(root);
    const isSame = storage.tree.isSame.bind(storage.tree);
    let isFirst = true;
    vi.spyOn(storage.tree, 'isSame').mockImplementation((id, place) => {
      if (!place.endsWith('/b') || !isFirst) return isSame(id, place);
      isFirst = false;
      meanwhile();
      writeFileSync(join(root, 'b'), 'theirs');
      return isSame(id, place);
    });
    const seen: string[] = [];
    await new TreeFileSystem(storage).transaction(PERSON, async (tx) => {
      for (const path of ['/a', '/b']) {
        const text = new TextDecoder().decode(await tx.readFile(path));
        seen.push(text);
        tx.writeFile(path, bytesOf(`${text} and mine`));
      }
    });
    expect(seen.slice(-2)).toEqual(['theirs', 'theirs']);
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('theirs and mine');
    expect(await readFile(join(root, 'b'), 'utf8')).toBe('theirs and mine');
  });

  test('a change that cannot be taken back does not count as taken back, and its old contents stay', async () => {
    await writeFile(join(root, 'a'), 'old');
    await writeFile(join(root, 'b'), 'old');
    const ends: string[] = [];
    const recorder: CommitRecorder = {
      begin: async () => ({
        id: crypto.randomUUID(),
        done: async () => void ends.push('done'),
        failed: async () => void ends.push('failed'),
      }),
    };
    const storage = await DiskStorage.open(root, { recorder });
    const isSame = storage.tree.isSame.bind(storage.tree);
    vi.spyOn(storage.tree, 'isSame').mockImplementation((id, place) => {
      if (!place.endsWith('/b')) return isSame(id, place);
      // Another program moves the folder away that has the old contents.
      renameSync(join(root, STAGING), join(root, 'moved'));
      throw new Error('The disk fails.');
    });
    const attempt = new TreeFileSystem(storage).transaction(PERSON, async (tx) => {
      for (const path of ['/a', '/b']) {
        await tx.readFile(path);
        tx.writeFile(path, bytesOf('new'));
      }
    });
    await expect(attempt).rejects.toThrow();
    expect(ends).toEqual([]);
    expect(await readTree(new TreeFileSystem(await DiskStorage.open(root)))).toMatchObject({
      '/moved': null,
    });
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { FileSystem, FileSystemTransaction } from './file-system.ts';
import { type FileEffect, guardedFiles } from './guarded-file-system.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { isWithin } from './paths.ts';
import { bytesOf, expectCode, fill, PERSON, readText, readTree, writeText } from './test/contract.ts';

let files: MemoryFileSystem;
/** The paths that the guard protects, by effect. */
let isProtected: Record<FileEffect, readonly string[]>;
let guarded: FileSystem;

beforeEach(async () => {
  files = new MemoryFileSystem();
  await fill(files, {
    '/a.txt': 'a',
    '/app/config/key': 'SECRET',
    '/app/main.ts': 'main',
    '/folder/inner/deep': 'SECRET',
    '/to-key': { link: 'app/config/key' },
    '/to-config': { link: '/app/config' },
    '/loop': { link: '/loop' },
  });
  isProtected = { read: ['/app/config/key', '/folder'], write: ['/app/config/key', '/folder'] };
  guarded = guardedFiles(files, {
    refusal: (path, effect) =>
      isProtected[effect].some((place) => isWithin(path, place)) ? 'the test protects this path' : undefined,
  });
});

const change = (edit: (tx: FileSystemTransaction) => unknown): Promise<void> =>
  guarded.transaction(PERSON, async (tx) => {
    await edit(tx);
  });

describe('what is protected cannot be read', () => {
  test.each(['/app/config/key', '/app/./config/../config/key', '/to-key', '/to-config/key', '/folder/inner/deep'])(
    'as %s, outside of a transaction and inside',
    async (path) => {
      await expect(guarded.readFile(path)).rejects.toThrow(`EACCES: the test protects this path: ${path}`);
      await expectCode(guarded.readFiles(['/a.txt', path]), 'EACCES');
      await expectCode(
        change((tx) => tx.readFile(path)),
        'EACCES',
      );
      await expectCode(
        change((tx) => tx.readFiles([path])),
        'EACCES',
      );
    },
  );

  test('through a link that is made for it, in the same transaction or before', async () => {
    await expectCode(
      change(async (tx) => {
        tx.symlink('/app/config/key', '/new');
        await tx.readFile('/new');
      }),
      'EACCES',
    );
    await change((tx) => tx.symlink('/folder/inner', '/new'));
    await expectCode(guarded.readFile('/new/deep'), 'EACCES');
    await expectCode(guarded.readdir('/new'), 'EACCES');
  });

  test('nor listed below; a protected name in an open folder is marked, and so are links to it', async () => {
    await expectCode(guarded.readdir('/folder'), 'EACCES');
    await expectCode(guarded.stat('/folder/inner'), 'EACCES');
    await expectCode(guarded.lstat('/folder/none'), 'EACCES');
    expect((await guarded.readdir('/')).filter((entry) => entry.isProtected).map(({ name }) => name)).toEqual([
      'folder',
      'to-key',
    ]);
    expect([...guarded.pathsBelow('/')]).not.toContain('/folder/inner');
    expect((await guarded.stat('/app/config/key')).size).toBe(6);
  });

  test('and everything else can', async () => {
    expect(await readText(guarded, '/app/main.ts')).toBe('main');
    expect((await guarded.readdir('/to-config')).map(({ name }) => name)).toEqual(['key']);
    await expectCode(guarded.readFile('/loop'), 'ELOOP');
    await expectCode(guarded.readFile('/none'), 'ENOENT');
  });
});

describe('what is protected cannot be changed', () => {
  test.each<[string, (tx: FileSystemTransaction) => unknown]>([
    ['written', (tx) => tx.writeFile('/app/config/key', bytesOf('x'))],
    ['written through a link', (tx) => tx.writeFile('/to-key', bytesOf('x'))],
    ['created below', (tx) => tx.writeFile('/folder/new/file', bytesOf('x'))],
    ['made as a folder', (tx) => tx.mkdir('/folder/new')],
    ['made as a link', (tx) => tx.symlink('/a.txt', '/folder/new')],
    ['deleted', (tx) => tx.rm('/app/config/key')],
    ['deleted with its parent', (tx) => tx.rm('/app', { recursive: true })],
    ['moved', (tx) => tx.rename('/app/config/key', '/key')],
    ['moved with its parent', (tx) => tx.rename('/app', '/other')],
    ['replaced by a move', (tx) => tx.rename('/a.txt', '/app/config/key')],
    ['copied', (tx) => tx.copy('/app/config/key', '/key')],
    ['copied with its parent', (tx) => tx.copy('/app', '/other')],
    ['given other attributes', (tx) => tx.setAttributes('/to-key', { mode: 0o600 })],
  ])('%s', async (_, edit) => {
    const before = await readTree(files);
    await expectCode(change(edit), 'EACCES');
    expect(await readTree(files)).toEqual(before);
  });

  test('created by what a folder brings along', async () => {
    await writeText(files, '/other/key', 'mine');
    await change((tx) => tx.rm('/to-config'));
    isProtected = { read: [], write: ['/new/key'] };
    await expectCode(
      change((tx) => tx.copy('/other', '/new')),
      'EACCES',
    );
    await expectCode(
      change((tx) => tx.rename('/other', '/new')),
      'EACCES',
    );
  });

  test('even where it can be read: a move would change it, a copy would not', async () => {
    isProtected = { read: [], write: ['/app/config/key'] };
    await expectCode(
      change((tx) => tx.rename('/app', '/other')),
      'EACCES',
    );
    await change((tx) => tx.copy('/app', '/other'));
    expect(await readText(files, '/other/config/key')).toBe('SECRET');
  });

  test('a link to it can be moved and deleted, as that is not what it leads to', async () => {
    await change((tx) => tx.rename('/to-key', '/link'));
    await change((tx) => tx.rm('/link'));
    expect(await readText(files, '/app/config/key')).toBe('SECRET');
  });
});

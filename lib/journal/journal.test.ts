import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiskStorage } from '#lib/disk/disk-storage.ts';
import type { FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { bytesOf, CALL, fill, readTree } from '#lib/vfs/test/contract.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { Journal } from './journal.ts';
import { KEPT_FILE_MAX_BYTES, TURNS_MAX } from './limits.ts';
import { recover } from './recover.ts';
import { UndoError, undoTurn } from './undo.ts';

let root: string;
let journal: Journal;
let storage: DiskStorage;
let files: TreeFileSystem;

const isOwn = (path: string) => path === '/.roundtrip' || path.startsWith('/.roundtrip/');

async function open(): Promise<void> {
  journal = new Journal(join(root, '.roundtrip/journal'));
  storage = await DiskStorage.open(root, {
    accessOf: (path) => (isOwn(path) ? 'hidden' : 'open'),
    recorder: journal,
  });
  files = new TreeFileSystem(storage);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'journal-'));
  await open();
});
afterEach(async () => {
  journal.close();
  await rm(root, { recursive: true });
});

const tree = () => readTree(files);
const change = (make: (tx: FileSystemTransaction) => void) => files.transaction(CALL, async (tx) => make(tx));
const log = () => readFileSync(join(root, '.roundtrip/journal/log.jsonl'), 'utf8').trim().split('\n');

/** What another program does; the test's own process stands for it. */
const command = (work: () => Promise<unknown>) => journal.command({ storage, files }, 'call-2', work);

describe('undo', () => {
  test('returns everything that the commits of a turn did, and nothing of the turn before', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => {
      tx.writeFile('/a/one.txt', bytesOf('1'));
      tx.writeFile('/a/two.txt', bytesOf('2'), { mode: 0o755 });
      tx.symlink('/a/one.txt', '/link');
    });
    const before = await tree();
    journal.beginTurn('second', 'Change');
    await change((tx) => {
      tx.writeFile('/a/one.txt', bytesOf('changed'));
      tx.rm('/a/two.txt');
      tx.rm('/link');
      tx.writeFile('/b/deep/new.txt', bytesOf('new'));
    });
    await change((tx) => tx.rename('/a', '/moved'));
    await change((tx) => tx.writeFile('/moved/one.txt', bytesOf('again')));
    const { turn, paths } = await undoTurn(journal, files);
    expect(turn).toMatchObject({ id: 'second', prompt: 'Change' });
    expect(paths).toContain('/b/deep/new.txt');
    expect(await tree()).toEqual(before);
    expect((await files.stat('/a/two.txt')).mode).toBe(0o755);
    await undoTurn(journal, files);
    expect(await tree()).toEqual({});
    await expect(undoTurn(journal, files)).rejects.toThrow('There is nothing to undo.');
  });

  test('is not a part of the turn that goes on after it', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    journal.beginTurn('second', 'Say');
    await undoTurn(journal, files);
    await expect(undoTurn(journal, files)).rejects.toThrow('There is nothing to undo.');
    expect(await tree()).toEqual({});
  });

  test('returns what a command did to files, folders, links and permissions', async () => {
    await fill(files, { '/src/a.txt': 'a', '/src/b.txt': 'b', '/tool.sh': '#!/bin/sh' });
    await symlink('src/a.txt', join(root, 'link'));
    await mkdir(join(root, 'empty'));
    const before = await tree();
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await writeFile(join(root, 'src/a.txt'), 'changed in place');
      await rename(join(root, 'src/b.txt'), join(root, 'src/日本.txt'));
      await rm(join(root, 'link'));
      await rm(join(root, 'empty'), { recursive: true });
      await mkdir(join(root, 'out/deep'), { recursive: true });
      await writeFile(join(root, 'out/deep/file'), 'new');
      await chmod(join(root, 'tool.sh'), 0o755);
    });
    expect(await tree()).not.toEqual(before);
    await undoTurn(journal, files);
    expect(await tree()).toEqual(before);
    expect((await files.stat('/tool.sh')).mode).toBe(0o644);
  });

  test('a command’s changes are known by its call, also in another process', async () => {
    journal.beginTurn('turn', 'Run');
    await command(() => writeFile(join(root, 'new.txt'), 'x'));
    const other = new Journal(join(root, '.roundtrip/journal'));
    expect(other.deedsOf('call-2').flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual(['/new.txt']);
    expect(other.deedsOf('call-3')).toEqual([]);
  });

  test('refuses, and changes nothing, if a file was changed since', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => {
      tx.writeFile('/a', bytesOf('1'));
      tx.writeFile('/b', bytesOf('1'));
    });
    await writeFile(join(root, 'b'), 'mine');
    const error = await undoTurn(journal, files).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UndoError);
    expect(error).toMatchObject({ reason: 'changed', paths: ['/b'] });
    expect(await tree()).toEqual({ '/a': '1', '/b': 'mine' });
  });

  test('refuses if somebody changed a file between two changes of the turn', async () => {
    await fill(files, { '/a': 'start' });
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    await writeFile(join(root, 'a'), 'mine');
    await change((tx) => tx.writeFile('/a', bytesOf('2')));
    await expect(undoTurn(journal, files)).rejects.toMatchObject({ reason: 'changed', paths: ['/a'] });
  });

  test('leaves a new folder that others have put something into', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/d/own', bytesOf('1')));
    await writeFile(join(root, 'd/theirs'), 'x');
    await undoTurn(journal, files);
    expect(await tree()).toEqual({ '/d': null, '/d/theirs': 'x' });
  });

  test('says which files are too large to be kept', async () => {
    await writeFile(join(root, 'large'), new Uint8Array(KEPT_FILE_MAX_BYTES + 1));
    journal.beginTurn('turn', 'Delete');
    await change((tx) => tx.rm('/large'));
    await expect(undoTurn(journal, files)).rejects.toMatchObject({ reason: 'unkept', paths: ['/large'] });
  });

  test('covers ignored files, but not folders that are ignored as a whole', async () => {
    await fill(files, { '/.gitignore': '.env\nnode_modules/\n', '/.env': 'KEY=1', '/node_modules/x/index.js': 'x' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await rm(join(root, '.env'));
      await rm(join(root, 'node_modules'), { recursive: true });
    });
    await undoTurn(journal, files);
    expect(await tree()).toEqual({ '/.gitignore': '.env\nnode_modules/\n', '/.env': 'KEY=1' });
  });
});

describe('after a crash', () => {
  /** Makes the latest entries look as if a process that has ended had written them. */
  function endProcess(withoutLast: number): void {
    const lines = log();
    const left = lines
      .slice(0, lines.length - withoutLast)
      .map((line) => JSON.stringify({ ...JSON.parse(line), owner: { pid: 2 ** 22 - 1, began: '1' } }));
    writeFileSync(join(root, '.roundtrip/journal/log.jsonl'), `${left.join('\n')}\n`);
  }

  test('a commit that was made counts, although its end was not noted', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    endProcess(1);
    await open();
    expect(journal.deedsOf('call-1')).toEqual([]);
    expect(await recover(journal, { storage, files }, root)).toEqual({ commands: [], takenBack: 0, lost: [] });
    expect(journal.deedsOf('call-1')).toHaveLength(1);
    expect(journal.unfinished()).toEqual([]);
  });

  test('a commit that was not made does not count', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    await rm(join(root, 'a'));
    endProcess(1);
    await open();
    await recover(journal, { storage, files }, root);
    expect(journal.deedsOf('call-1')).toEqual([]);
    expect(await tree()).toEqual({});
  });

  test('a commit that was half made is taken back, and its staging folder removed', async () => {
    await fill(files, { '/a': 'a', '/b': 'b', '/gone': 'c' });
    const before = await tree();
    journal.beginTurn('turn', 'Write');
    await change((tx) => {
      tx.writeFile('/a', bytesOf('1'));
      tx.writeFile('/b', bytesOf('2'));
      tx.rm('/gone');
    });
    await writeFile(join(root, 'b'), 'b');
    endProcess(1);
    await mkdir(join(root, `.roundtrip-staging-${2 ** 22 - 1}-x`));
    await open();
    expect(await recover(journal, { storage, files }, root)).toEqual({ commands: [], takenBack: 1, lost: [] });
    expect(await tree()).toEqual(before);
    expect((await readdir(root)).sort()).toEqual(['.roundtrip', 'a', 'b', 'gone']);
  });

  test('what a command had changed by then can be undone', async () => {
    await fill(files, { '/a': 'a' });
    journal.beginTurn('turn', 'Run');
    let copy = '';
    await command(async () => {
      copy = readFileSync(
        join(
          root,
          '.roundtrip/journal/snapshots',
          (await readdir(join(root, '.roundtrip/journal/snapshots')))[0] ?? '',
        ),
        'utf8',
      );
      await writeFile(join(root, 'a'), 'half');
    });
    const { id } = JSON.parse(log().at(-2) ?? '{}');
    endProcess(1);
    await writeFile(join(root, '.roundtrip/journal/snapshots', `${id}.json`), copy);
    await open();
    expect(await recover(journal, { storage, files }, root)).toMatchObject({ commands: ['call-2'] });
    await undoTurn(journal, files);
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('a');
  });

  test('a line that was cut off is passed over', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    journal.close();
    appendFileSync(join(root, '.roundtrip/journal/log.jsonl'), '{"type":"comm');
    await open();
    journal.beginTurn('next', 'Write');
    expect(journal.turns().map(({ id }) => id)).toEqual(['turn', 'next']);
  });
});

test('old turns are forgotten, with the contents that only they need', async () => {
  for (let turn = 0; turn < 2 * TURNS_MAX; turn++) journal.beginTurn(`turn-${turn}`, 'Say');
  journal.beginTurn('write', 'Write');
  await change((tx) => tx.writeFile('/a', bytesOf('1')));
  expect(journal.turns().length).toBeLessThanOrEqual(TURNS_MAX + 1);
  await undoTurn(journal, files);
  expect(await tree()).toEqual({});
});

// More than 400 lines: one journal, and every way in which a turn is undone and a crash is settled.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { self } from '#lib/base/processes/owner.ts';
import { STAGING } from '#lib/vfs/disk/apply-commit.ts';
import { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import type { FileSystemTransaction } from '#lib/vfs/file-system.ts';
import { bytesOf, CALL, fill, readTree } from '#lib/vfs/test/contract.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { Journal } from './journal.ts';
import { KEPT_FILE_MAX_BYTES, TURNS_MAX } from './limits.ts';
import { recover } from './recover.ts';
import { readSnapshot } from './snapshot.ts';
import { planUndo, UndoError, undoTurn } from './undo.ts';

let root: string;
let journal: Journal;
let storage: DiskStorage;
let files: TreeFileSystem;

const isOwn = (path: string) => path === '/.roundtrip' || path.startsWith('/.roundtrip/');

async function open(): Promise<void> {
  journal = new Journal(join(root, '.roundtrip/journal'), root);
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

const folder = () => ({ root, storage, files });
const tree = () => readTree(files);
const change = (make: (tx: FileSystemTransaction) => void) => files.transaction(CALL, async (tx) => make(tx));
const log = () => readFileSync(join(root, '.roundtrip/journal/log.jsonl'), 'utf8').trim().split('\n');

/** Does some work as another program; the test's own process stands for it. */
const command = (work: () => Promise<unknown>) => journal.command(folder(), 'call-2', work);

describe('undo', () => {
  test('returns everything that the commits of a turn did, and nothing of the turn before', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => {
      tx.writeFile('/a/one.txt', bytesOf('1'));
      tx.writeFile('/a/two.txt', bytesOf('2'), { mode: 0o755 });
      tx.symlink('a/one.txt', '/link');
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
    const { turn, paths } = await undoTurn(journal, folder());
    expect(turn).toMatchObject({ id: 'second', prompt: 'Change' });
    expect(paths).toContain('/b/deep/new.txt');
    expect(await tree()).toEqual(before);
    expect((await files.stat('/a/two.txt')).mode).toBe(0o755);
    await undoTurn(journal, folder());
    expect(await tree()).toEqual({});
    await expect(undoTurn(journal, folder())).rejects.toThrow('There is nothing to undo.');
  });

  test('is not a part of the turn that goes on after it', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    journal.beginTurn('second', 'Say');
    await undoTurn(journal, folder());
    await expect(undoTurn(journal, folder())).rejects.toThrow('There is nothing to undo.');
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
    await undoTurn(journal, folder());
    expect(await tree()).toEqual(before);
    expect((await files.stat('/tool.sh')).mode).toBe(0o644);
  });

  test('a command’s changes are known by its call, also in another process', async () => {
    journal.beginTurn('turn', 'Run');
    await command(() => writeFile(join(root, 'new.txt'), 'x'));
    const other = new Journal(join(root, '.roundtrip/journal'), root);
    expect(other.actionsOf('call-2').flatMap(({ changes }) => changes.map(({ path }) => path))).toEqual(['/new.txt']);
    expect(other.actionsOf('call-3')).toEqual([]);
  });

  test('refuses, and changes nothing, if a file was changed since', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => {
      tx.writeFile('/a', bytesOf('1'));
      tx.writeFile('/b', bytesOf('1'));
    });
    await writeFile(join(root, 'b'), 'mine');
    const error = await undoTurn(journal, folder()).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UndoError);
    expect(error).toMatchObject({ reason: 'changed', paths: ['/b'] });
    expect(await tree()).toEqual({ '/a': '1', '/b': 'mine' });
    expect(await planUndo(journal, folder())).toMatchObject({
      turn: { id: 'turn' },
      changes: [{ path: '/a' }],
      obstacle: { reason: 'changed' },
    });
    expect((await undoTurn(journal, folder(), { isPartial: true })).paths).toEqual(['/a']);
    expect(await tree()).toEqual({ '/b': 'mine' });
    await expect(planUndo(journal, folder())).rejects.toThrow('There is nothing to undo.');
    // The remaining changes can be undone when nothing is in the way any more.
    await writeFile(join(root, 'b'), '1');
    expect((await undoTurn(journal, folder())).paths).toEqual(['/b']);
    expect(await tree()).toEqual({});
  });

  test('what is as before already counts as undone', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => tx.writeFile('/x', bytesOf('x')));
    journal.beginTurn('second', 'Write');
    await change((tx) => tx.writeFile('/y', bytesOf('y')));
    await rm(join(root, 'y'));
    expect(await planUndo(journal, folder())).toMatchObject({ changes: [], settled: ['/y'], obstacle: undefined });
    expect((await undoTurn(journal, folder())).paths).toEqual([]);
    expect((await undoTurn(journal, folder())).paths).toEqual(['/x']);
    expect(await tree()).toEqual({});
  });

  test('a turn of which nothing can be undone does not keep the turns before it from being undone', async () => {
    journal.beginTurn('first', 'Write');
    await change((tx) => tx.writeFile('/x', bytesOf('x')));
    journal.beginTurn('second', 'Write');
    await change((tx) => tx.writeFile('/y', bytesOf('y')));
    await writeFile(join(root, 'y'), 'mine');
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'changed' });
    expect((await undoTurn(journal, folder(), { isPartial: true })).paths).toEqual([]);
    expect((await undoTurn(journal, folder())).paths).toEqual(['/x']);
    expect(await tree()).toEqual({ '/y': 'mine' });
  });

  test('a part does not delete the only copy of what cannot be returned to its place', async () => {
    await fill(files, { '/draft.txt': 'old words' });
    journal.beginTurn('turn', 'Move');
    await change((tx) => {
      tx.rename('/draft.txt', '/final.txt');
      tx.writeFile('/other', bytesOf('1'));
    });
    await writeFile(join(root, 'draft.txt'), 'new words');
    expect((await undoTurn(journal, folder(), { isPartial: true })).paths).toEqual(['/other']);
    expect(await tree()).toEqual({ '/draft.txt': 'new words', '/final.txt': 'old words' });
  });

  test('a folder that was moved and replaced by a link to it', async () => {
    await fill(files, { '/lib/m.js': 'm', '/lib/deep/n.js': 'n' });
    const before = await tree();
    journal.beginTurn('turn', 'Move');
    await command(async () => {
      await rename(join(root, 'lib'), join(root, 'src'));
      await symlink('src', join(root, 'lib'));
    });
    await undoTurn(journal, folder());
    expect(await tree()).toEqual(before);
  });

  test('a folder in place of a file stays as long as others have something in it', async () => {
    await fill(files, { '/a': 'a' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await rm(join(root, 'a'));
      await mkdir(join(root, 'a'));
      await writeFile(join(root, 'a/x'), 'x');
    });
    await writeFile(join(root, 'a/mine'), 'mine');
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'changed', paths: ['/a/mine'] });
    await rm(join(root, 'a/mine'));
    await undoTurn(journal, folder());
    expect(await tree()).toEqual({ '/a': 'a' });
  });

  test('a link out of the folder in place of a folder is in the way', async () => {
    await fill(files, { '/sub/s': 's' });
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/sub/s', bytesOf('1')));
    await rm(join(root, 'sub'), { recursive: true });
    await symlink(tmpdir(), join(root, 'sub'));
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'changed' });
  });

  test.each([
    ['no longer ignored', 'data/\n', ''],
    ['ignored from now on', '', 'data/\n'],
  ])('a folder that is %s stays as it is', async (_, earlier, later) => {
    await fill(files, { '/.gitignore': earlier, '/data/x': 'x' });
    const before = await tree();
    journal.beginTurn('turn', 'Run');
    await command(() => writeFile(join(root, '.gitignore'), later));
    await undoTurn(journal, folder());
    expect(await tree()).toEqual(before);
  });

  test('a folder that is ignored from now on is restored when it changes later in the turn', async () => {
    await fill(files, { '/data/x': 'x', '/data/y': 'y' });
    const before = await tree();
    journal.beginTurn('turn', 'Run');
    await change((tx) => tx.writeFile('/.gitignore', bytesOf('data/\nout/\n')));
    await command(async () => {
      await rm(join(root, 'data/x'));
      await writeFile(join(root, 'data/y'), 'changed');
    });
    await command(() => rm(join(root, 'data'), { recursive: true }));
    await undoTurn(journal, folder());
    expect(await tree()).toEqual(before);
  });

  test('names the folders that it does not cover: new ones that are ignored, and those that were ignored before', async () => {
    await fill(files, { '/.gitignore': 'node_modules/\n', '/node_modules/x': 'x' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await writeFile(join(root, '.gitignore'), 'node_modules/\nout/\n');
      await mkdir(join(root, 'out'));
      await writeFile(join(root, 'out/y'), 'y');
    });
    expect((await planUndo(journal, folder())).uncovered).toEqual(['/node_modules', '/out']);
    await undoTurn(journal, folder());
    expect(await tree()).toMatchObject({ '/.gitignore': 'node_modules/\n', '/node_modules/x': 'x', '/out/y': 'y' });
  });

  test('leaves a folder that was ignored where it has been moved to', async () => {
    await fill(files, { '/.gitignore': 'data/\n', '/data/x': 'the only copy' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await rename(join(root, 'data'), join(root, 'kept'));
      await writeFile(join(root, 'a'), 'a');
    });
    expect((await planUndo(journal, folder())).uncovered).toEqual(['/data', '/kept']);
    await undoTurn(journal, folder());
    expect(await tree()).toMatchObject({ '/kept/x': 'the only copy' });
    expect(await tree()).not.toHaveProperty('/a');
  });

  test('a content that a power failure has left empty is kept again', async () => {
    const hash = journal.contents.put(bytesOf('words'));
    writeFileSync(join(root, '.roundtrip/journal/contents', hash.slice(0, 2), hash.slice(2)), '');
    expect(journal.contents.has(hash, 5)).toBe(false);
    journal.contents.put(bytesOf('words'));
    expect(journal.contents.get(hash)).toEqual(bytesOf('words'));
  });

  test('refuses if somebody changed a file between two changes of the turn', async () => {
    await fill(files, { '/a': 'start' });
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    await writeFile(join(root, 'a'), 'mine');
    await change((tx) => tx.writeFile('/a', bytesOf('2')));
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'changed', paths: ['/a'] });
  });

  test('leaves a new folder that others have put something into', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/d/own', bytesOf('1')));
    await writeFile(join(root, 'd/theirs'), 'x');
    await undoTurn(journal, folder());
    expect(await tree()).toEqual({ '/d': null, '/d/theirs': 'x' });
  });

  test('says which files are too large to be kept', async () => {
    await writeFile(join(root, 'large'), new Uint8Array(KEPT_FILE_MAX_BYTES + 1));
    journal.beginTurn('turn', 'Delete');
    await change((tx) => tx.rm('/large'));
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'unkept', paths: ['/large'] });
    expect((await undoTurn(journal, folder(), { isPartial: true })).paths).toEqual([]);
  });

  test('does not touch a large file that was changed since, although its size is the same', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/large', new Uint8Array(KEPT_FILE_MAX_BYTES + 1)));
    const mine = new Uint8Array(KEPT_FILE_MAX_BYTES + 1).fill(7);
    await writeFile(join(root, 'large'), mine);
    await expect(undoTurn(journal, folder())).rejects.toMatchObject({ reason: 'changed' });
    expect((await readFile(join(root, 'large')))[0]).toBe(7);
  });

  test('undoes a large file that nobody has changed since', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/large', new Uint8Array(KEPT_FILE_MAX_BYTES + 1)));
    await undoTurn(journal, folder());
    expect(await tree()).toEqual({});
  });

  test('restores symlinks exactly, also those that lead outside', async () => {
    await symlink('/etc/hostname', join(root, 'out'));
    await symlink(join(root, 'a'), join(root, 'in'));
    await fill(files, { '/a': 'a' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await rm(join(root, 'out'));
      await rm(join(root, 'in'));
    });
    await undoTurn(journal, folder());
    expect([await readlink(join(root, 'out')), await readlink(join(root, 'in'))]).toEqual([
      '/etc/hostname',
      join(root, 'a'),
    ]);
  });

  test('of a turn that went on after it was undone, only the rest is undone then', async () => {
    journal.beginTurn('older', 'Write');
    await change((tx) => tx.writeFile('/keep', bytesOf('1')));
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    await undoTurn(journal, folder());
    journal.continueTurn('turn');
    await change((tx) => tx.writeFile('/b', bytesOf('1')));
    expect((await undoTurn(journal, folder())).turn.id).toBe('turn');
    expect(await tree()).toEqual({ '/keep': '1' });
  });

  test('covers ignored files, but not folders that are ignored as a whole', async () => {
    await fill(files, { '/.gitignore': '.env\nnode_modules/\n', '/.env': 'KEY=1', '/node_modules/x/index.js': 'x' });
    journal.beginTurn('turn', 'Run');
    await command(async () => {
      await rm(join(root, '.env'));
      await rm(join(root, 'node_modules'), { recursive: true });
    });
    await undoTurn(journal, folder());
    expect(await tree()).toEqual({ '/.gitignore': '.env\nnode_modules/\n', '/.env': 'KEY=1' });
  });
});

describe('after a crash', () => {
  /** Makes the latest entries look as if a process that has ended had written them. */
  function endProcess(withoutLast: number): void {
    const lines = log();
    const left = lines
      .slice(0, lines.length - withoutLast)
      .map((line) => JSON.stringify({ ...JSON.parse(line), owner: { pid: 2 ** 22 - 1, began: '1', space: '' } }));
    writeFileSync(join(root, '.roundtrip/journal/log.jsonl'), `${left.join('\n')}\n`);
  }

  /** The folder with staged and earlier contents that the ended process has left for its last commit. */
  async function leaveStaging(names: readonly string[] = []): Promise<void> {
    const commit = log()
      .map((line) => JSON.parse(line))
      .findLast(({ type }) => type === 'commit');
    const place = join(root, STAGING, commit.id);
    await mkdir(place, { recursive: true });
    for (const name of names) await writeFile(join(place, name), 'x');
  }
  const settled = { commands: [], takenBack: 0, lost: [], kept: [] };

  test('a commit that was made counts, whatever others have done to its files since', async () => {
    await fill(files, { '/a': 'a' });
    journal.beginTurn('turn', 'Move');
    await change((tx) => tx.rename('/a', '/b'));
    endProcess(0);
    await leaveStaging(['old-1']);
    await writeFile(join(root, 'b'), 'mine');
    await open();
    expect(await recover(journal, folder())).toEqual(settled);
    expect(journal.actionsOf('call-1')).toHaveLength(1);
    expect(await tree()).toEqual({ '/b': 'mine' });
    expect(await readdir(root)).not.toContainEqual(expect.stringContaining('staging'));
  });

  test('a commit that was not begun does not count, and nothing is touched', async () => {
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    await writeFile(join(root, 'a'), 'mine');
    endProcess(1);
    await open();
    expect(await recover(journal, folder())).toEqual(settled);
    expect(journal.actionsOf('call-1')).toEqual([]);
    expect(await tree()).toEqual({ '/a': 'mine' });
    expect(journal.unfinished()).toEqual([]);
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
    await leaveStaging(['new-1', 'old-1']);
    await open();
    expect(await recover(journal, folder())).toEqual({ ...settled, takenBack: 1 });
    expect(await tree()).toEqual(before);
    expect((await readdir(root)).sort()).toEqual(['.roundtrip', 'a', 'b', 'gone']);
  });

  test.each([
    ['has shown that it is there', 0, false],
    ['has not for a while', 60_000, true],
  ])('of a process in another container that %s', async (_, age, isOver) => {
    await fill(files, { '/a': 'a' });
    journal.beginTurn('turn', 'Write');
    await change((tx) => tx.writeFile('/a', bytesOf('1')));
    const lines = log().slice(0, -1);
    const owner = { ...self, id: 'other', space: `${self.space} elsewhere` };
    const text = lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), owner })}\n`).join('');
    journal.close();
    writeFileSync(join(root, '.roundtrip/journal/log.jsonl'), text);
    await leaveStaging(['old-1']);
    const sign = join(root, '.roundtrip/journal/users/other');
    await writeFile(sign, JSON.stringify(owner));
    const at = new Date(Date.now() - age);
    await utimes(sign, at, at);
    await open();
    expect(await recover(journal, folder())).toEqual({ ...settled, takenBack: isOver ? 1 : 0 });
    expect(await tree()).toEqual({ '/a': isOver ? 'a' : '1' });
  });

  test('what others have put in place of a half commit stays, and nothing blocks the folder', async () => {
    await fill(files, { '/d/x': 'x', '/d/z': 'z' });
    journal.beginTurn('turn', 'Write');
    await change((tx) => {
      tx.writeFile('/d/x', bytesOf('1'));
      tx.rm('/d/z');
    });
    endProcess(1);
    await leaveStaging();
    await rm(join(root, 'd'), { recursive: true });
    await writeFile(join(root, 'd'), 'a file now');
    await open();
    await recover(journal, folder());
    expect(await tree()).toEqual({ '/d': 'a file now' });
    expect(journal.unfinished()).toEqual([]);
  });

  test('the only copy of what could not be kept is left for the person, under a name that shows', async () => {
    await writeFile(join(root, 'big'), new Uint8Array(KEPT_FILE_MAX_BYTES + 1));
    journal.beginTurn('turn', 'Delete');
    await change((tx) => tx.rm('/big'));
    endProcess(1);
    await leaveStaging(['old-7']);
    await open();
    const { lost, kept } = await recover(journal, folder());
    expect(lost).toEqual(['/big']);
    expect(await readdir(join(root, kept[0] ?? ''))).toEqual(['old-7']);
    await open();
    expect(await recover(journal, folder())).toEqual(settled);
    expect(await readdir(join(root, kept[0] ?? ''))).toEqual(['old-7']);
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
    expect(await recover(journal, folder())).toMatchObject({ commands: ['call-2'] });
    await undoTurn(journal, folder());
    expect(await readFile(join(root, 'a'), 'utf8')).toBe('a');
  });

  test('what a person did after the crash is not the doing of the command', async () => {
    await fill(files, { '/a': 'a', '/thesis': 'mine' });
    journal.beginTurn('turn', 'Run');
    const snapshots = join(root, '.roundtrip/journal/snapshots');
    let copy = '';
    await command(async () => {
      copy = readFileSync(join(snapshots, (await readdir(snapshots))[0] ?? ''), 'utf8');
      await writeFile(join(root, 'a'), 'half');
    });
    const { id } = JSON.parse(log().at(-2) ?? '{}');
    endProcess(1);
    await writeFile(join(snapshots, `${id}.json`), copy);
    const past = new Date(Date.now() - 10_000);
    await utimes(join(snapshots, `${id}.json`), past, past);
    await writeFile(join(root, 'thesis'), 'longer');
    await writeFile(join(root, 'new'), 'mine');
    await open();
    await recover(journal, folder());
    await expect(undoTurn(journal, folder())).rejects.toThrow('There is nothing to undo.');
    expect(await tree()).toEqual({ '/a': 'half', '/thesis': 'longer', '/new': 'mine' });
  });

  test('a snapshot that cannot be read is not taken for one that is damaged', async () => {
    const place = join(root, 'snapshot');
    writeFileSync(place, '{"entries":');
    expect(readSnapshot(place)).toBeUndefined();
    rmSync(place);
    mkdirSync(place);
    expect(() => readSnapshot(place)).toThrow('EISDIR');
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
  await undoTurn(journal, folder());
  expect(await tree()).toEqual({});
});

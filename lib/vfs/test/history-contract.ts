// More than 400 lines: one contract that every history must fulfil.
import { beforeEach, describe, expect, test } from 'vitest';
import { changeType } from '../file-changes.ts';
import type { Author, FileSystem } from '../file-system.ts';
import type { HistoryCommit, WorkspaceHistory } from '../history.ts';
import { bytesOf, CALL, expectCode, fill, PERSON, readText, readTree, writeText } from './contract.ts';

const OTHER_CALL: Author = { type: 'call', toolCallId: 'call-2' };

/** A summary of a step. */
const summary = ({ changes }: Pick<HistoryCommit, 'changes'>): string[] =>
  changes.map(({ path, before, after }) => `${changeType(before, after)} ${path}`).sort();

/** The contract of a workspace's history, tested against every implementation. */
export function describeHistory(name: string, open: () => Promise<FileSystem & { history: WorkspaceHistory }>): void {
  describe(`the history of ${name}`, () => {
    let fs: FileSystem;
    let history: WorkspaceHistory;

    beforeEach(async () => {
      const workspace = await open();
      fs = workspace;
      history = workspace.history;
    });

    describe('a call that was taken over', () => {
      const by = (claimant: string, toolCallId = 'call-1'): Author => ({ type: 'call', toolCallId, claimant });
      const writeAs = (author: Author, path: string) =>
        fs.transaction(author, async (tx) => tx.writeFile(path, bytesOf(path)));

      test('[R3] can be committed by the new claimant, but not by the previous one', async () => {
        await writeAs(by('first'), '/before');
        await history.fence('call-1', 'first');
        await expectCode(writeAs(by('first'), '/late'), 'ECANCELED');
        await writeAs(by('second'), '/after');
        expect(Object.keys(await readTree(fs))).toEqual(['/after', '/before']);
        expect(await history.sequencesOf('call-1')).toHaveLength(2);
      });

      test('[R3] can be taken over again, and does not hold up other calls', async () => {
        await history.fence('call-1', 'first');
        await history.fence('call-1', 'second');
        // One that overslept repeats what another has done.
        await history.fence('call-1', 'first');
        for (const late of ['first', 'second']) await expectCode(writeAs(by(late), '/late'), 'ECANCELED');
        await writeAs(by('third'), '/a');
        await writeAs(by('first', 'call-2'), '/b');
        await writeText(fs, '/c', 'of the person');
        expect(Object.keys(await readTree(fs))).toEqual(['/a', '/b', '/c']);
      });

      test('[R3] is refused when stored in a group with others, which are stored', async () => {
        await history.fence('call-1', 'first');
        const outcomes = await Promise.allSettled([
          writeText(fs, '/a', 'a'),
          writeAs(by('first'), '/late'),
          writeText(fs, '/b', 'b'),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(Object.keys(await readTree(fs))).toEqual(['/a', '/b']);
      });
    });

    describe('what calls have changed', () => {
      const by = (toolCallId: string, path: string, text: string | null) =>
        fs.transaction({ type: 'call', toolCallId }, async (tx) =>
          text === null ? tx.rm(path) : tx.writeFile(path, bytesOf(text)),
        );

      beforeEach(async () => {
        await fill(fs, { '/a': 'a', '/b': 'b' });
        await by('one', '/a', 'first');
        await writeText(fs, '/other', 'of the person');
        await by('two', '/a', 'second');
        await by('two', '/new', 'n');
        await by('two', '/gone', 'g');
        await by('one', '/gone', null);
        await by('three', '/b', null);
      });

      test('is the difference from before the first to after the last of their commits', async () => {
        const changes = await history.changesBy(['one', 'two']);
        expect(summary({ changes })).toEqual(['changed /a', 'created /new']);
        const change = changes.find(({ path }) => path === '/a');
        const [before, after] = [change?.before, change?.after];
        if (before === undefined || after === undefined) throw new Error('no change');
        expect(new TextDecoder().decode(await history.read(before, '/a'))).toBe('a');
        expect(new TextDecoder().decode(await history.read(after, '/a'))).toBe('second');
        expect(summary({ changes: await history.changesBy(['three']) })).toEqual(['deleted /b']);
        expect(await history.changesBy(['none'])).toEqual([]);
      });

      test('can be undone, and redone', async () => {
        const before = await readTree(fs);
        const undo = await history.undoCalls(PERSON, ['one', 'two']);
        if (undo === undefined) throw new Error('nothing was undone');
        expect(await readTree(fs)).toEqual({ '/a': 'a', '/other': 'of the person' });
        await writeText(fs, '/later', 'l');
        const redo = await history.undo(PERSON, [undo]);
        expect(await readTree(fs)).toEqual({ ...before, '/later': 'l' });
        expect(await history.undo(PERSON, [undo, redo ?? undo])).toBeUndefined();
        await writeText(fs, '/a', 'mine');
        await expectCode(history.undo(PERSON, [undo]), 'ESTALE');
      });

      test('can be undone, unless something depends on it', async () => {
        await history.undoCalls(PERSON, ['one', 'two']);
        expect(await readTree(fs)).toEqual({ '/a': 'a', '/other': 'of the person' });
        await by('four', '/x', 'x');
        await writeText(fs, '/x', 'mine');
        await expectCode(history.undoCalls(PERSON, ['four']), 'ESTALE');
        await expectCode(history.undoCalls(PERSON, ['four', 'none']), 'EINVAL');
        expect(await readText(fs, '/x')).toBe('mine');
      });
    });

    describe('steps', () => {
      test('are the commits, newest first, with their authors and the change to each path', async () => {
        const before = Date.now();
        await fill(fs, { '/a': 'x', '/d/f': 'y' });
        await fs.transaction(CALL, async (tx) => tx.rename('/d', '/e'));
        await fs.transaction(OTHER_CALL, async (tx) => {
          tx.writeFile('/e/f', bytesOf('z'));
          tx.rm('/a');
        });
        const steps = await history.steps(0);
        expect(steps.map(({ sequence, author }) => [sequence, author])).toEqual([
          [3, OTHER_CALL],
          [2, CALL],
          [1, PERSON],
        ]);
        expect(steps.map(summary)).toEqual([
          ['changed /e/f', 'deleted /a'],
          ['created /e', 'created /e/f', 'deleted /d', 'deleted /d/f'],
          ['created /a', 'created /d', 'created /d/f'],
        ]);
        for (const { time } of steps) expect(time).toBeGreaterThanOrEqual(before);
        expect((await history.steps(2)).map(({ sequence }) => sequence)).toEqual([3]);
        expect(await history.steps(3)).toEqual([]);
      });

      test('give the contents before and after, including those of deleted files', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'two');
        await fs.transaction(PERSON, async (tx) => tx.rm('/f'));
        const [removal, edit] = await history.steps(1);
        const text = async (step: HistoryCommit | undefined, side: 'before' | 'after') => {
          const state = step?.changes[0]?.[side];
          return state === undefined ? undefined : new TextDecoder().decode(await history.read(state, '/f'));
        };
        expect([await text(edit, 'before'), await text(edit, 'after')]).toEqual(['one', 'two']);
        expect([await text(removal, 'before'), await text(removal, 'after')]).toEqual(['two', undefined]);
      });

      test('[R3] show whether a call has committed anything, and where its last commit is', async () => {
        expect(await history.pointAfter('call-1')).toBeUndefined();
        await writeText(fs, '/f', 'x', CALL);
        await writeText(fs, '/f', 'y', CALL);
        await writeText(fs, '/f', 'z', OTHER_CALL);
        expect(await history.pointAfter('call-1')).toBe(2);
        expect(await history.pointAfter('call-2')).toBe(3);
      });
    });

    describe('restore', () => {
      test('[R20] brings all files back to their previous state, and going forward again loses nothing', async () => {
        await fill(fs, { '/a': 'one', '/d/f': 'x', '/d/g': 'y', '/link': { link: 'a' }, '/empty': null });
        await fs.transaction(PERSON, async (tx) => tx.writeFile('/run', bytesOf('#!'), { mode: 0o755 }));
        const first = { point: history.sequence, tree: await readTree(fs) };
        await fs.transaction(CALL, async (tx) => {
          tx.writeFile('/a', bytesOf('two'));
          tx.rename('/d', '/moved/e');
          tx.rm('/link');
          tx.rm('/empty');
          tx.setAttributes('/run', { mode: 0o644 });
          tx.copy('/moved/e', '/copy');
        });
        await writeText(fs, '/moved/e/f', 'by hand');
        const second = { point: history.sequence, tree: await readTree(fs) };
        await history.restore(PERSON, first.point);
        expect(await readTree(fs)).toEqual(first.tree);
        expect((await fs.stat('/run')).mode).toBe(0o755);
        await history.restore(PERSON, second.point);
        expect(await readTree(fs)).toEqual(second.tree);
        await history.restore(PERSON, 0);
        expect(await readTree(fs)).toEqual({});
        await history.restore(PERSON, second.point);
        expect(await readTree(fs)).toEqual(second.tree);
      });

      test('is one commit with its author; restoring the current state makes none', async () => {
        await fill(fs, { '/a': 'one', '/b': 'x' });
        await writeText(fs, '/a', 'two');
        await writeText(fs, '/b', 'y');
        await writeText(fs, '/b', 'x');
        await history.restore(CALL, 1);
        const steps = await history.steps(4);
        expect(steps.map(summary)).toEqual([['changed /a', 'changed /b']]);
        expect(steps.map(({ author }) => author)).toEqual([{ ...CALL, restored: 1 }]);
        await history.restore(CALL, 5);
        expect(history.sequence).toBe(5);
      });

      test('[R19] gives restored files a new version, so that an editor of the later one notices', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'two');
        const { version } = await fs.stat('/f');
        await history.restore(PERSON, 1);
        expect((await fs.stat('/f')).version).not.toBe(version);
        await expectCode(
          fs.transaction(PERSON, async (tx) => tx.writeFile('/f', bytesOf('three'), { ifVersion: version })),
          'ESTALE',
        );
      });

      test('brings a removed folder of many files back to its state at the point, whatever was done to it before', async () => {
        const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/d/x/${index}`, `${index}`]));
        await fill(fs, { ...many, '/d/link': { link: 'x/1' }, '/d/empty': null });
        const point = history.sequence;
        const first = { tree: await readTree(fs), version: (await fs.stat('/d/x/5')).version };
        await fs.transaction(PERSON, async (tx) => {
          tx.writeFile('/d/x/0', bytesOf('edited'));
          tx.writeFile('/d/x/new', bytesOf('new'));
          tx.rm('/d/x/1');
          tx.rename('/d/x/2', '/two');
        });
        const edited = await readTree(fs);
        await fs.transaction(CALL, async (tx) => tx.rm('/d', { recursive: true }));
        expect(await readTree(fs)).toEqual({ '/two': '2' });
        await history.restore(PERSON, point);
        expect(await readTree(fs)).toEqual(first.tree);
        expect((await fs.stat('/d/x/5')).version).toBeGreaterThan(first.version);
        await history.restore(PERSON, point + 1);
        expect(await readTree(fs)).toEqual(edited);
        await history.restore(PERSON, point + 2);
        expect(await readTree(fs)).toEqual({ '/two': '2' });
        const [again, , back] = await history.steps(point);
        expect(back?.changes.filter(({ before }) => before === undefined)).toHaveLength(104);
        await history.undo(PERSON, [again?.sequence ?? 0]);
        expect(await readTree(fs)).toEqual(edited);
      });

      test('brings folders that were removed, restored and removed again back once', async () => {
        const many = (folder: string) =>
          Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`/${folder}/${index}`, `${index}`]));
        await fill(fs, { ...many('a'), ...many('b') });
        const point = history.sequence;
        const first = await readTree(fs);
        const remove = (path: string) => fs.transaction(PERSON, async (tx) => tx.rm(path, { recursive: true }));
        await remove('/a');
        await remove('/b');
        await history.restore(PERSON, point);
        expect(await readTree(fs)).toEqual(first);
        await remove('/b');
        await writeText(fs, '/a/0', 'edited');
        await remove('/a');
        await history.restore(PERSON, point + 1);
        expect(await readTree(fs)).toEqual({ '/b': null, ...many('b') });
        await history.restore(PERSON, point);
        expect(await readTree(fs)).toEqual(first);
        expect((await history.changesSince(point)).length).toBe(0);
      });

      test('to a point that does not exist is EINVAL and changes nothing', async () => {
        await writeText(fs, '/f', 'x');
        for (const point of [-1, 2, 1.5, Number.NaN]) await expectCode(history.restore(PERSON, point), 'EINVAL');
        expect(await readTree(fs)).toEqual({ '/f': 'x' });
      });

      test('waits for earlier requests, which count as before it', async () => {
        await writeText(fs, '/f', 'one');
        const writes = Array.from({ length: 10 }, (_, index) => writeText(fs, `/n${index}`, 'x'));
        const restored = history.restore(PERSON, 1);
        await Promise.all([...writes, restored]);
        expect(await readTree(fs)).toEqual({ '/f': 'one' });
        await history.restore(PERSON, 11);
        expect(Object.keys(await readTree(fs))).toHaveLength(11);
      });

      test('is not needed to see what has changed since a point', async () => {
        await fill(fs, { '/a': 'one', '/b': 'x', '/c': 'c' });
        await writeText(fs, '/a', 'two');
        await writeText(fs, '/new', 'n');
        await fs.transaction(PERSON, async (tx) => tx.rm('/b'));
        expect(summary({ changes: await history.changesSince(1) })).toEqual([
          'changed /a',
          'created /new',
          'deleted /b',
        ]);
        expect(await history.changesSince(history.sequence)).toEqual([]);
        expect(await readText(fs, '/a')).toBe('two');
      });
    });

    describe('the steps that a restore would remove', () => {
      const lostAt = async (point: number) => (await history.stepsLostAt(point)).map(({ sequence }) => sequence);

      test('are those since that point', async () => {
        for (const text of ['one', 'two', 'three']) await writeText(fs, '/f', text);
        expect(await lostAt(1)).toEqual([3, 2]);
        expect(await lostAt(3)).toEqual([]);
        expect((await history.stepsLostAt(2)).map(summary)).toEqual([['changed /f']]);
        await expectCode(history.stepsLostAt(4), 'EINVAL');
      });

      test('[R20] do not include those that an earlier restore removed', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'left branch');
        await history.restore(PERSON, 1);
        await writeText(fs, '/g', 'right branch');
        expect(await lostAt(1)).toEqual([4]);
        // Back to the left branch: only the right branch's steps are lost.
        expect(await lostAt(2)).toEqual([4]);
        await history.restore(PERSON, 2);
        expect(await lostAt(4)).toEqual([2]);
        expect(await lostAt(3)).toEqual([2]);
        expect(await lostAt(0)).toEqual([2, 1]);
      });

      test('end where the history does', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'two');
        await history.restore(PERSON, 1);
        await writeText(fs, '/f', 'three');
        await history.forget(3);
        expect(await lostAt(3)).toEqual([4]);
      });
    });

    describe('a note of what was typed', () => {
      test('is in the history, and whoever is told of it finds the file as it was', async () => {
        await writeText(fs, '/a', 'one');
        const seen: Promise<string>[] = [];
        fs.watch(() => seen.push(Promise.resolve().then(() => readText(fs, '/a'))));
        await history.note(PERSON, '/a', bytesOf('typed'));
        expect(new Set(await Promise.all(seen))).toEqual(new Set(['one']));
        expect(await readText(fs, '/a')).toBe('one');
        const [undone, noted] = await history.steps(1);
        expect([undone, noted].map((step) => step && summary(step))).toEqual([['changed /a'], ['changed /a']]);
        const content = noted?.changes[0]?.after;
        if (content === undefined) throw new Error('nothing was noted');
        expect(await history.read(content, '/a')).toEqual(bytesOf('typed'));
      });

      test('leaves nothing behind where there was nothing', async () => {
        await writeText(fs, '/kept', 'x');
        await history.note(PERSON, '/new/a', bytesOf('typed'));
        expect(await readTree(fs)).toEqual({ '/kept': 'x' });
        expect((await history.steps(1)).map(summary)).toEqual([
          ['deleted /new', 'deleted /new/a'],
          ['created /new', 'created /new/a'],
        ]);
        await history.restore(PERSON, 2);
        expect(await readTree(fs)).toMatchObject({ '/kept': 'x', '/new/a': 'typed' });
      });

      test('is stored among other commits', async () => {
        const writes = ['one', 'two', 'three'].flatMap((text) => [
          writeText(fs, '/a', text),
          history.note(PERSON, '/a', bytesOf(`typed after ${text}`)),
        ]);
        await Promise.all(writes);
        expect(await readText(fs, '/a')).toBe('three');
        expect(history.sequence).toBe(9);
        await history.restore(PERSON, 5);
        expect(await readText(fs, '/a')).toBe('typed after two');
      });

      test('of a directory is refused, and leaves the history as it is', async () => {
        await fill(fs, { '/folder': null });
        await expectCode(history.note(PERSON, '/folder', bytesOf('typed')), 'EISDIR');
        expect(history.sequence).toBe(1);
      });
    });

    describe('undo', () => {
      test('reverts one step in the middle and keeps the later ones', async () => {
        await fill(fs, { '/a': 'one', '/b': 'x' });
        await fs.transaction(CALL, async (tx) => {
          tx.writeFile('/a', bytesOf('two'));
          tx.writeFile('/new/file', bytesOf('y'));
          tx.rm('/b');
        });
        await writeText(fs, '/later', 'z');
        await history.undo(PERSON, [2]);
        expect((await history.steps(3)).map(summary)).toEqual([
          ['changed /a', 'created /b', 'deleted /new', 'deleted /new/file'],
        ]);
        expect(await readTree(fs)).toEqual({ '/a': 'one', '/b': 'x', '/later': 'z' });
      });

      test('can itself be undone', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'two', CALL);
        await history.undo(PERSON, [2]);
        await history.undo(PERSON, [3]);
        expect(await readText(fs, '/f')).toBe('two');
      });

      test('refuses if a path was changed since, names it, and changes nothing', async () => {
        await fill(fs, { '/a': 'one', '/b': 'one' });
        await fs.transaction(CALL, async (tx) => {
          tx.writeFile('/a', bytesOf('two'));
          tx.writeFile('/b', bytesOf('two'));
        });
        await writeText(fs, '/b', 'by hand');
        await expect(history.undo(PERSON, [2])).rejects.toMatchObject({
          code: 'ESTALE',
          path: '/b',
          message: expect.stringContaining('/b'),
        });
        expect(await readTree(fs)).toEqual({ '/a': 'two', '/b': 'by hand' });
      });

      test.each<[string, (fs: FileSystem) => Promise<unknown>, string]>([
        [
          'another file took the place',
          async (fs) => {
            await fs.transaction(CALL, async (tx) => tx.rm('/f'));
            await writeText(fs, '/f', 'other');
          },
          '/f',
        ],
        [
          'a new directory was filled',
          async (fs) => {
            await fs.transaction(CALL, async (tx) => tx.mkdir('/new'));
            await writeText(fs, '/new/mine', 'x');
          },
          'mine',
        ],
        [
          'its directory is gone',
          async (fs) => {
            await fs.transaction(CALL, async (tx) => tx.rm('/d/g'));
            await fs.transaction(PERSON, async (tx) => tx.rm('/d'));
          },
          'g',
        ],
        [
          'a moved file was moved again',
          async (fs) => {
            await fs.transaction(CALL, async (tx) => tx.rename('/f', '/there'));
            await fs.transaction(PERSON, async (tx) => tx.rename('/there', '/else'));
          },
          '/there',
        ],
      ])('is refused if %s', async (_, change, named) => {
        await fill(fs, { '/f': 'x', '/d/g': 'y' });
        await change(fs);
        const before = await readTree(fs);
        await expect(history.undo(PERSON, [2])).rejects.toMatchObject({
          code: 'ESTALE',
          message: expect.stringContaining(named),
        });
        expect(await readTree(fs)).toEqual(before);
      });

      test('reverts a file in its new location if it was only moved with its directory', async () => {
        await fill(fs, { '/d/f': 'one' });
        await writeText(fs, '/d/f', 'two', CALL);
        await fs.transaction(PERSON, async (tx) => tx.rename('/d', '/e'));
        await history.undo(PERSON, [2]);
        expect(await readTree(fs)).toEqual({ '/e': null, '/e/f': 'one' });
      });

      test('reverts several steps at once, whatever others did elsewhere in between', async () => {
        await fill(fs, { '/a': 'one', '/b': 'x' });
        await writeText(fs, '/a', 'two', CALL);
        await writeText(fs, '/b', 'by hand');
        await writeText(fs, '/a', 'three', CALL);
        await writeText(fs, '/new', 'n', CALL);
        await history.undo(PERSON, [2, 4, 5]);
        expect(await readTree(fs)).toEqual({ '/a': 'one', '/b': 'by hand' });
        expect(history.sequence).toBe(6);
      });

      test('refuses several steps if someone else changed the same file in between', async () => {
        await writeText(fs, '/a', 'one', CALL);
        await writeText(fs, '/a', 'by hand');
        await writeText(fs, '/a', 'two', CALL);
        await expect(history.undo(PERSON, [1, 3])).rejects.toMatchObject({ code: 'ESTALE', path: '/a' });
        expect(await readText(fs, '/a')).toBe('two');
      });

      test('of a step that does not exist is EINVAL', async () => {
        await writeText(fs, '/f', 'x');
        for (const sequence of [0, 2, 99]) await expectCode(history.undo(PERSON, [sequence]), 'EINVAL');
      });
    });

    test('the point before a time is the last earlier commit', async () => {
      expect(await history.pointBefore(Date.now())).toBe(0);
      await writeText(fs, '/f', 'one');
      const [first] = await history.steps(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await writeText(fs, '/f', 'two');
      expect(await history.pointBefore((first?.time ?? 0) + 1)).toBe(1);
      expect(await history.pointBefore(Date.now() + 1)).toBe(2);
    });

    describe('forget', () => {
      test('deletes the points before, and keeps the files and the points after', async () => {
        await writeText(fs, '/f', 'one');
        await writeText(fs, '/f', 'two');
        await writeText(fs, '/f', 'three');
        await history.forget(2);
        expect(history.floor).toBe(2);
        expect(await readText(fs, '/f')).toBe('three');
        await expectCode(history.restore(PERSON, 1), 'EINVAL');
        await expectCode(history.steps(1), 'EINVAL');
        await history.restore(PERSON, 2);
        expect(await readText(fs, '/f')).toBe('two');
        await history.restore(PERSON, 3);
        expect(await readText(fs, '/f')).toBe('three');
      });

      test('does nothing if the points are already deleted', async () => {
        await writeText(fs, '/f', 'one');
        await history.forget(1);
        const { sequence } = history;
        await history.forget(1);
        await history.forget(0);
        expect(history.sequence).toBe(sequence);
        await writeText(fs, '/f', 'two');
        expect((await history.steps(history.floor)).map(summary)).toEqual([['changed /f'], []]);
      });
    });
  });
}

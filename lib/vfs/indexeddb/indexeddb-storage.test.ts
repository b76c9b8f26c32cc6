// More than 400 lines: tabs, failures and old formats of one storage, over the same set-up.
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileSystemError } from '../errors.ts';
import type { FileChange } from '../file-system.ts';
import { WorkspaceHistory } from '../history.ts';
import { BLOB_MIN_BYTES, INLINE_COMMIT_MAX_BYTES, INLINE_MAX_BYTES, PACK_MAX_BYTES } from '../limits.ts';
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
} from '../test/contract.ts';
import { testGit } from '../test/git.ts';
import { describeHistory } from '../test/history-contract.ts';
import { makeVersion1 } from '../test/version-1.ts';
import { makeVersion3 } from '../test/version-3.ts';
import { TreeFileSystem } from '../tree-file-system.ts';
import { IndexedDbStorage } from './indexeddb-storage.ts';
import type { StoredRecord } from './schema.ts';

/** A workspace opened in one tab. */
class Tab extends TreeFileSystem {
  readonly storage: IndexedDbStorage;
  readonly history: WorkspaceHistory;

  constructor(storage: IndexedDbStorage) {
    super(storage);
    this.storage = storage;
    this.history = new WorkspaceHistory(storage, this);
  }

  close(): void {
    this.storage.close();
  }
}

/** A channel that delivers nothing, as in a sleeping tab. */
class DeafChannel extends EventTarget {
  onmessage = null;
  postMessage(): void {}
  close(): void {}
}

const opened: Tab[] = [];
let databases = 0;

async function openTab(name: string): Promise<Tab> {
  const tab = new Tab(await IndexedDbStorage.open(name));
  opened.push(tab);
  return tab;
}

/** Reads a file as a tab sees it after refreshing. */
async function look(tab: Tab, path: string): Promise<string> {
  await tab.refresh();
  return readText(tab, path);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const tab of opened.splice(0)) tab.close();
});

describeFileSystem('IndexedDbStorage', () => openTab(`contract-${++databases}`));
testGit('IndexedDbStorage', () => openTab(`contract-${++databases}`));
describeHistory('IndexedDbStorage', () => openTab(`contract-${++databases}`));

describe('two tabs on one workspace', () => {
  let name: string;
  let a: Tab;
  let b: Tab;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    [a, b] = await Promise.all([openTab(name), openTab(name)]);
  });

  test('[R19] both write fifty files at once: none is lost, and both see them all', async () => {
    const writes = Array.from({ length: 50 }, (_, index) => [
      writeText(a, `/a/${index}`, `a${index}`),
      writeText(b, `/b/${index}`, `b${index}`),
    ]);
    await Promise.all(writes.flat());
    await a.refresh();
    const tree = await readTree(a);
    expect(Object.keys(tree)).toHaveLength(102);
    expect(tree).toMatchObject({ '/a/0': 'a0', '/a/49': 'a49', '/b/0': 'b0', '/b/49': 'b49' });
    await b.refresh();
    expect(await readTree(b)).toEqual(tree);
    expect(await a.stat('/b/7')).toEqual(await b.stat('/b/7'));
  });

  test('[R19] incrementing a number in one file from both at once loses no update', async () => {
    await writeText(a, '/n', '0');
    await Promise.all(Array.from({ length: 25 }, () => [increment(a, '/n'), increment(b, '/n')]).flat());
    expect(await look(a, '/n')).toBe('50');
    expect(await look(b, '/n')).toBe('50');
  });

  test('[R19] a transaction during which another tab’s commit arrives runs again, including its reads', async () => {
    await writeText(a, '/n', '0');
    let attempts = 0;
    const result = await a.transaction(PERSON, async (tx) => {
      attempts++;
      const before = Number(await readText(tx, '/n'));
      if (attempts === 1) {
        await increment(b, '/n');
        // This tab is notified of the other's commit in the middle of its own transaction.
        expect(await look(a, '/n')).toBe('1');
      }
      tx.writeFile('/n', bytesOf(String(before + 1)));
      return before + 1;
    });
    expect(result).toBe(2);
    expect(attempts).toBe(2);
    expect(await look(a, '/n')).toBe('2');
    expect(await look(b, '/n')).toBe('2');
  });

  test('[R19] `ifVersion` detects another tab’s commit that this one has not been notified of', async () => {
    await writeText(a, '/f', 'first');
    const { version } = await a.stat('/f');
    await writeText(b, '/f', 'second');
    await expectCode(
      a.transaction(PERSON, async (tx) => tx.writeFile('/f', bytesOf('third'), { ifVersion: version })),
      'ESTALE',
    );
    expect(await readText(a, '/f')).toBe('second');
  });

  test('a transaction that hits a path another tab has just removed runs again instead of failing', async () => {
    await fill(a, { '/d/one': '1', '/d/two': '2' });
    let attempts = 0;
    const total = await a.transaction(PERSON, async (tx) => {
      attempts++;
      const entries = await tx.readdir('/d');
      if (attempts === 1) await b.transaction(PERSON, async (other) => other.rm('/d/two'));
      let sum = 0;
      for (const entry of entries) sum += Number(await readText(tx, `/d/${entry.name}`));
      tx.writeFile('/sum', bytesOf(String(sum)));
      return sum;
    });
    expect(total).toBe(1);
    expect(await look(b, '/sum')).toBe('1');
  });

  test('a file can be read at any moment while another tab overwrites it', async () => {
    await writeText(a, '/f', '0');
    let writing = true;
    const write = async () => {
      for (let index = 1; index <= 60; index++) await writeText(a, '/f', String(index));
      writing = false;
    };
    const read = async () => {
      let last = 0;
      while (writing) {
        await b.refresh();
        const now = Number(await readText(b, '/f'));
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
    };
    await Promise.all([write(), read(), read(), read()]);
    expect(await readText(b, '/f')).toBe('60');
  });

  test('[R19] the other tab’s watchers are notified of each commit once, with its author, without reading anything', async () => {
    await fill(a, { '/old': 'x', '/changed': 'x' });
    await b.refresh();
    const heard: FileChange[] = [];
    b.watch((changes) => heard.push(...changes));
    await a.transaction(CALL, async (tx) => {
      tx.writeFile('/new', bytesOf('y'));
      tx.writeFile('/changed', bytesOf('y'));
      tx.rm('/old');
    });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await b.refresh();
    expect(heard.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: '/changed', type: 'changed', author: CALL },
      { path: '/new', type: 'created', author: CALL },
      { path: '/old', type: 'deleted', author: CALL },
    ]);
  });

  test('a tab that reads while its own commit is being stored reports that commit once, correctly', async () => {
    const heard: FileChange[] = [];
    a.watch((changes) => heard.push(...changes));
    let writing = true;
    const read = async () => {
      while (writing) await a.refresh();
    };
    const write = async () => {
      for (let index = 0; index < 30; index++) await writeText(a, `/${index}`, 'x');
      writing = false;
    };
    await Promise.all([write(), read(), read(), read()]);
    await a.refresh();
    expect(heard.map(({ path, type }) => `${type} ${path}`)).toEqual(
      Array.from({ length: 30 }, (_, index) => `created /${index}`),
    );
  });

  test('a tab that slept while history was deleted sees everything, and its watchers are notified', async () => {
    vi.stubGlobal('BroadcastChannel', DeafChannel);
    const asleep = await openTab(name);
    await fill(asleep, { '/kept': 'x', '/changed': 'x', '/deleted': 'x' });
    const heard: FileChange[] = [];
    asleep.watch((changes) => heard.push(...changes));
    await a.transaction(PERSON, async (tx) => {
      tx.rm('/deleted');
      tx.writeFile('/changed', bytesOf('y'));
    });
    for (let index = 0; index < 20; index++) await writeText(a, '/n', String(index));
    await a.history.forget(a.history.sequence);
    // The number it would claim is free again, but must not be used.
    expect(await increment(asleep, '/n')).toBe(20);
    expect(await readTree(asleep)).toEqual({ '/changed': 'y', '/kept': 'x', '/n': '20' });
    expect(new Set(heard.map(({ path, type }) => `${type} ${path}`))).toEqual(
      new Set(['changed /changed', 'created /n', 'deleted /deleted', 'changed /n']),
    );
    expect(await look(a, '/n')).toBe('20');
    expect(await readTree(await openTab(name))).toEqual(await readTree(a));
  });

  test('a tab that slept never overwrites contents stored under the numbers it would use', async () => {
    vi.stubGlobal('BroadcastChannel', DeafChannel);
    await writeText(a, '/f', 'x');
    const asleep = await openTab(name);
    const large = (letter: string): string => letter.repeat(INLINE_MAX_BYTES + 1);
    await writeText(a, '/theirs', large('t'));
    await writeText(a, '/f', 'y');
    await a.history.forget(a.history.sequence);
    await writeText(asleep, '/mine', large('m'));
    const again = await openTab(name);
    expect(await readTree(again)).toEqual({ '/f': 'y', '/mine': large('m'), '/theirs': large('t') });
  });

  test('a tab that slept while contents were moved reads them from their new location', async () => {
    vi.stubGlobal('BroadcastChannel', DeafChannel);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/d/${index}`, 'x'.repeat(4000)]));
    await fill(a, many);
    const asleep = await openTab(name);
    await a.transaction(PERSON, async (tx) => {
      for (let index = 0; index < 35; index++) tx.rm(`/d/${index}`);
    });
    await a.history.forget(a.history.sequence);
    await expectCode(readText(asleep, '/d/0'), 'ENOENT');
    const later = await openTab(name);
    await a.transaction(PERSON, async (tx) => {
      for (let index = 35; index < 39; index++) tx.rm(`/d/${index}`);
    });
    await a.history.forget(a.history.sequence);
    expect(await readText(later, '/d/39')).toBe(many['/d/39']);
  });

  test('a tab finds out how far back its history goes after another tab has deleted some', async () => {
    for (const text of ['one', 'two', 'three']) await writeText(a, '/f', text);
    await b.refresh();
    await a.history.forget(2);
    await b.refresh();
    expect(b.history.floor).toBe(2);
    await expectCode(b.history.steps(1), 'EINVAL');
    await b.history.restore(PERSON, 2);
    expect(await look(a, '/f')).toBe('two');
  });

  test('contents that moved when history was deleted are found after the other tab folds', async () => {
    // Less than half of these packs is still needed: deleting history moves the rest.
    for (let round = 0; round < 3; round++)
      await a.transaction(PERSON, async (tx) => {
        for (let n = 0; n < 100; n++) if (round === 0 || n % 3 !== 0) tx.writeFile(`/f${n}`, bytesOf(`${round}.${n}`));
      });
    await a.storage.compact();
    const other = await openTab(name);
    const tree = await readTree(a);
    await a.history.forget(a.history.sequence);
    await writeText(other, '/new', 'of the other tab');
    await other.storage.compact();
    for (const tab of [a, other, await openTab(name)]) {
      await tab.refresh();
      expect(await readTree(tab)).toEqual({ ...tree, '/new': 'of the other tab' });
    }
  });

  test('[R3] a tab that slept commits nothing for a call that another took over, even after folding and deleting history', async () => {
    const asleep = { type: 'call', toolCallId: 'call-1', claimant: 'a' } as const;
    const awake = { type: 'call', toolCallId: 'call-1', claimant: 'b' } as const;
    const append = (tab: Tab, author: typeof asleep | typeof awake) =>
      tab.transaction(author, async (tx) => tx.writeFile('/f', bytesOf(`${await readText(tx, '/f')}+`)));
    await writeText(a, '/f', '');
    await b.refresh();
    await b.history.fence('call-1', 'a');
    await append(b, awake);
    await b.storage.compact();
    await writeText(b, '/g', 'later');
    await b.history.forget(b.history.sequence);
    await expectCode(append(a, asleep), 'ECANCELED');
    await b.storage.compact();
    await expectCode(append(await openTab(name), asleep), 'ECANCELED');
    expect(await look(a, '/f')).toBe('+');
  });

  test('two tabs that fold the log at once and continue lose nothing', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        writeText(a, `/a${round}`, `a${round}`),
        writeText(b, `/b${round}`, `b${round}`),
        a.storage.compact(),
        b.storage.compact(),
      ]);
    }
    await Promise.all([a.refresh(), b.refresh()]);
    const tree = await readTree(a);
    expect(Object.keys(tree)).toHaveLength(10);
    expect(await readTree(b)).toEqual(tree);
    expect(await readTree(await openTab(name))).toEqual(tree);
  });

  test('[R19] a restore cannot use a point that another tab is just deleting', async () => {
    await writeText(a, '/f', 'first');
    const point = a.history.sequence;
    await writeText(a, '/f', 'second');
    await b.refresh();
    const [restored] = await Promise.allSettled([b.history.restore(PERSON, point), a.history.forget(point + 1)]);
    const expected = restored.status === 'fulfilled' ? 'first' : 'second';
    expect(await look(a, '/f')).toBe(expected);
    expect(await look(b, '/f')).toBe(expected);
    expect(await readText(await openTab(name), '/f')).toBe(expected);
  });
});

describe('what is stored', () => {
  let name: string;
  let fs: Tab;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    fs = await openTab(name);
  });

  /** All bytes in the database, as text, and the sizes of the blobs outside the log. */
  async function stored(): Promise<{ inLog: string[]; blobs: number[] }> {
    const db = await openDB(name);
    const [records, blobs]: [StoredRecord[], Uint8Array[]] = await Promise.all([db.getAll('log'), db.getAll('blobs')]);
    db.close();
    const commits = records.flatMap((record) => [record, ...(record.following ?? [])]);
    const inLog = commits.flatMap(({ inline = [] }) => inline.map(([, data]) => new TextDecoder().decode(data)));
    return { inLog: inLog.sort(), blobs: blobs.map((data) => data.byteLength).sort((x, y) => x - y) };
  }

  /** The log's records by key. */
  async function records(): Promise<Map<number, StoredRecord>> {
    const db = await openDB(name);
    const [keys, values] = await Promise.all([db.getAllKeys('log'), db.getAll('log')]);
    db.close();
    return new Map(keys.map((key, index) => [Number(key), values[index]]));
  }

  async function reopen(): Promise<Tab> {
    fs.close();
    return openTab(name);
  }

  test('everything is there when the workspace is reopened, including versions and modes', async () => {
    await fill(fs, { '/d/empty': null, '/d/f': 'x', '/link': { link: 'd/f' }, '/日本語': 'y' });
    await fs.transaction(PERSON, async (tx) => tx.writeFile('/run', bytesOf('#!'), { mode: 0o755 }));
    const before = { tree: await readTree(fs), stat: await fs.stat('/run') };
    fs.close();
    const again = await openTab(name);
    expect({ tree: await readTree(again), stat: await again.stat('/run') }).toEqual(before);
    await writeText(again, '/run', 'new');
    expect((await again.stat('/run')).version).toBeGreaterThan(before.stat.version);
  });

  test('content that a transaction wrote and then overwrote or removed is never stored', async () => {
    await fs.transaction(PERSON, async (tx) => {
      tx.writeFile('/f', bytesOf('draft'));
      tx.writeFile('/f', bytesOf('final'));
      tx.writeFile('/temporary', bytesOf('temporary'));
      tx.rm('/temporary');
    });
    expect(await readTree(fs)).toEqual({ '/f': 'final' });
    expect(await stored()).toEqual({ inLog: ['final'], blobs: [] });
  });

  test('a small content is stored in its record, a large one separately, and many small ones in packs', async () => {
    const large = 'x'.repeat(INLINE_MAX_BYTES + 1);
    await fill(fs, { '/small': 'small', '/large': large });
    expect(await stored()).toEqual({ inLog: ['small'], blobs: [large.length] });
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`/d/${index}`, `${index}`.repeat(3000)]),
    );
    await fill(fs, many);
    const { inLog, blobs } = await stored();
    expect(inLog).toEqual(['small']);
    const bytes = Object.values(many).reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeGreaterThan(INLINE_COMMIT_MAX_BYTES);
    expect(blobs.reduce((sum, size) => sum + size, 0)).toBe(bytes + large.length);
    for (const size of blobs) expect(size).toBeLessThanOrEqual(PACK_MAX_BYTES);
    const again = await reopen();
    expect(await readTree(again)).toEqual({ '/large': large, '/small': 'small', '/d': null, ...many });
    expect((await again.readFile('/d/7')).buffer.byteLength).toBe(3000);
  });

  test('folding the log keeps every file, every version and every point in the history', async () => {
    await fill(fs, { '/a': 'one', '/b': 'x', '/link': { link: 'a' }, '/empty': null, '/none': '' });
    const point = fs.history.sequence;
    await writeText(fs, '/a', 'two');
    await fs.transaction(PERSON, async (tx) => tx.rename('/b', '/c'));
    const before = { tree: await readTree(fs), stat: await fs.stat('/a') };
    await fs.storage.compact();
    expect((await stored()).blobs).toEqual(['two'.length + 'x'.length]);
    expect({ tree: await readTree(fs), stat: await fs.stat('/a') }).toEqual(before);
    const again = await reopen();
    expect({ tree: await readTree(again), stat: await again.stat('/a') }).toEqual(before);
    await again.history.restore(PERSON, point);
    expect(await readTree(again)).toEqual({
      '/a': 'one',
      '/b': 'x',
      '/link': { link: 'a' },
      '/empty': null,
      '/none': '',
    });
    await again.history.restore(PERSON, point + 2);
    expect(await readTree(again)).toEqual(before.tree);
  });

  test('a long log is folded automatically, and later commits are found', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let index = 0; index < 2100; index++) await writeText(fs, `/f${index % 50}`, String(index));
    await vi.advanceTimersByTimeAsync(2_000);
    vi.useRealTimers();
    await writeText(fs, '/last', 'x');
    const tree = await readTree(fs);
    const db = await openDB(name);
    expect(await db.get('head', 0)).toMatchObject({ snapshot: 2100, floor: 0 });
    db.close();
    const again = await reopen();
    expect(await readTree(again)).toEqual(tree);
  });

  test('small commits by one author that are requested together share a record but stay separate commits', async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        fs.transaction(index < 200 ? PERSON : CALL, async (tx) => tx.writeFile('/f', bytesOf(`${index}`))),
      ),
    );
    expect(fs.history.sequence).toBe(300);
    const sharing = [...(await records()).values()].map(({ following = [] }) => 1 + following.length);
    expect(sharing.length).toBeLessThan(10);
    expect(sharing.reduce((sum, count) => sum + count, 0)).toBe(300);
    const other = await openTab(name);
    for (const tab of [fs, other, await openTab(name)]) {
      expect(await readText(tab, '/f')).toBe('299');
      expect(await tab.history.sequencesOf('call-1')).toEqual(Array.from({ length: 100 }, (_, index) => 201 + index));
      expect((await tab.history.steps(150)).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 150 }, (_, index) => 300 - index),
      );
    }
    await fs.history.restore(PERSON, 42);
    expect(await readText(fs, '/f')).toBe('41');
    await fs.history.forget(42);
    expect((await fs.history.steps(42)).at(-1)?.sequence).toBe(43);
    await expectCode(fs.history.steps(41), 'EINVAL');
    await fs.history.restore(PERSON, 77);
    expect(await readText(await reopen(), '/f')).toBe('76');
  });

  test('content in the middle of a shared record is found when it is nowhere else', async () => {
    const write = (text: string) => fs.transaction(PERSON, async (tx) => tx.writeFile('/f', bytesOf(text)));
    await Promise.all(['a', 'b', 'c', 'd'].map(write));
    await fs.storage.compact();
    fs = await reopen();
    const [, edit] = await fs.history.steps(1);
    const state = edit?.changes[0]?.after;
    expect(new TextDecoder().decode(state && (await fs.history.read(state, '/f')))).toBe('c');
  });

  describe('a folder of many files', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/d/x/${index}`, `${index}`]));
    const tree = { '/d': null, '/d/x': null, ...many };
    const named = (record: StoredRecord | undefined) => record?.changes.length || record?.bulk?.ids;

    beforeEach(() => fill(fs, many));

    test('is removed and restored in brief form, and the log is completed soon after', async () => {
      await fs.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
      expect([...(await records()).values()].map(({ changes, isShallow }) => [changes.length, isShallow])).toEqual([
        [0, undefined],
        [1, true],
      ]);
      await fs.history.restore(PERSON, 1);
      const brief = (await records()).get(3);
      expect({ ...brief, changes: brief?.changes.length }).toMatchObject({
        changes: 1,
        isShallow: true,
        returned: [2],
      });
      expect(await readTree(fs)).toEqual(tree);
      await vi.waitFor(async () => expect((await records()).get(3)?.isShallow).toBeUndefined());
      for (const record of [(await records()).get(2), (await records()).get(3)])
        expect(record).toMatchObject({ changes: [], bulk: { ids: { offsets: { length: 102 } } } });
      expect((await records()).get(3)).not.toHaveProperty('returned');
    });

    test('is there with its whole history, however early the tab is closed', async () => {
      await fs.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
      fs = await reopen();
      expect(await readTree(fs)).toEqual({});
      await fs.history.restore(PERSON, 1);
      expect(named((await records()).get(3))).toBe(1);
      fs = await reopen();
      expect(await readTree(fs)).toEqual(tree);
      const steps = await fs.history.steps(1);
      expect(steps.map(({ changes }) => changes.length)).toEqual([102, 102]);
      await fs.history.undo(PERSON, [3]);
      expect(await readTree(fs)).toEqual({});
    });

    test('that one tab removes and another restores is the same in all tabs', async () => {
      const [other, third] = [await openTab(name), await openTab(name)];
      await other.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
      await third.refresh();
      const heard: FileChange[] = [];
      fs.watch((changes) => heard.push(...changes));
      await third.history.restore(PERSON, 1);
      for (const tab of [fs, other, third]) {
        await tab.refresh();
        expect(await readTree(tab)).toEqual(tree);
        expect((await tab.history.steps(1)).map(({ changes }) => changes.length)).toEqual([102, 102]);
      }
      expect(heard.filter(({ type }) => type === 'created')).toHaveLength(102);
    });

    test('is complete in a log that is folded or deleted right after', async () => {
      await fs.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
      await fs.storage.compact();
      await fs.history.restore(PERSON, 1);
      await fs.history.forget(2);
      fs = await reopen();
      expect(await readTree(fs)).toEqual(tree);
      expect((await fs.history.steps(2)).map(({ changes }) => changes.length)).toEqual([0, 102]);
      await fs.history.restore(PERSON, 2);
      expect(await readTree(fs)).toEqual({});
    });

    test('that is removed while one file is moved out of it keeps only that file', async () => {
      await fs.transaction(PERSON, async (tx) => {
        tx.rename('/d/x/7', '/kept');
        tx.writeFile('/d/x/new', bytesOf('new'));
        tx.rm('/d', { recursive: true });
        tx.writeFile('/d/y', bytesOf('y'));
      });
      for (const tab of [fs, await openTab(name)])
        expect(await readTree(tab)).toEqual({ '/d': null, '/d/y': 'y', '/kept': '7' });
      await fs.history.restore(PERSON, 1);
      expect(await readTree(fs)).toEqual(tree);
      expect(await readTree(await reopen())).toEqual(tree);
    });
  });

  test('in a browser that stores Blobs best, packs and large contents are Blobs, and everything else is the same', async () => {
    vi.stubGlobal('navigator', { ...navigator, userAgentData: {} });
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`/d/${index}`, `${index}`.repeat(2000)]));
    const large = 'x'.repeat(BLOB_MIN_BYTES);
    await fill(fs, { ...many, '/large': large, '/less': large.slice(1) });
    const db = await openDB(name);
    const blobs: (Blob | Uint8Array)[] = await db.getAll('blobs');
    db.close();
    expect(blobs.filter((data) => data instanceof Blob).map(({ size }) => size)).toEqual([
      large.length,
      bytesOf(Object.values(many).join('')).length,
    ]);
    expect(blobs.filter((data) => data instanceof Uint8Array).map(({ length }) => length)).toEqual([large.length - 1]);
    const tree = { '/d': null, ...many, '/large': large, '/less': large.slice(1) };
    fs = await reopen();
    expect(await readTree(fs)).toEqual(tree);
    await fs.transaction(PERSON, async (tx) => {
      for (let index = 10; index < 90; index++) tx.rm(`/d/${index}`);
    });
    await fs.history.forget(fs.history.sequence);
    const left = Object.fromEntries(Object.entries(many).slice(0, 10));
    expect(await readTree(await reopen())).toEqual({ '/d': null, ...left, '/large': large, '/less': large.slice(1) });
  });

  test('deleting history removes what only the deleted history needed, and nothing else', async () => {
    const large = 'x'.repeat(INLINE_MAX_BYTES + 1);
    await fill(fs, { '/a': 'first', '/b': 'b', '/big': large });
    await fs.transaction(PERSON, async (tx) => tx.copy('/b', '/shared'));
    await writeText(fs, '/a', 'second');
    const point = fs.history.sequence;
    await fs.transaction(PERSON, async (tx) => {
      tx.rm('/b');
      tx.rm('/big');
    });
    await fs.history.forget(point);
    // The files that the remaining step removed can still be restored.
    expect(await stored()).toEqual({ inLog: [], blobs: ['bsecond'.length, large.length] });
    await fs.history.restore(PERSON, point);
    expect(await readTree(fs)).toEqual({ '/a': 'second', '/b': 'b', '/big': large, '/shared': 'b' });
    await fs.transaction(PERSON, async (tx) => tx.rm('/big'));
    await fs.history.forget(fs.history.sequence);
    expect((await stored()).blobs).toEqual(['bsecond'.length]);
    const again = await reopen();
    expect(await readTree(again)).toEqual({ '/a': 'second', '/b': 'b', '/shared': 'b' });
  });

  test('a pack that is mostly waste is rewritten when history is deleted', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`/d/${index}`, `${index % 10}`.repeat(4000)]),
    );
    await fill(fs, many);
    await fs.transaction(PERSON, async (tx) => {
      for (let index = 0; index < 35; index++) tx.rm(`/d/${index}`);
    });
    await fs.history.forget(fs.history.sequence);
    expect((await stored()).blobs).toEqual([5 * 4000]);
    const kept = Object.fromEntries(Object.entries(many).slice(35));
    expect(await readTree(fs)).toEqual({ '/d': null, ...kept });
    expect(await readTree(await reopen())).toEqual({ '/d': null, ...kept });
  });

  test('a workspace of the studio’s first version is migrated completely: paths, contents, modes and versions', async () => {
    const old = `${name}-1`;
    const tree = await makeVersion1(old);
    const tab = await openTab(old);
    expect(await readTree(tab)).toEqual(tree);
    expect(await tab.stat('/d/f')).toEqual({ type: 'file', size: 5, mtimeMs: 1234, mode: 0o644, version: 3 });
    expect((await tab.stat('/big')).mode).toBe(0o755);
    await writeText(tab, '/d/f', 'new');
    expect((await tab.stat('/d/f')).version).toBeGreaterThan(7);
    expect(await readText(tab, '/d/copy')).toBe('hello');
  });
});

test('a workspace of database version 3, with columns and packs, can be read and changed', async () => {
  const name = `workspace-${++databases}`;
  const tree = await makeVersion3(name);
  let tab = await openTab(name);
  expect(await readTree(tab)).toEqual(tree);
  expect(await tab.stat('/d/f0')).toEqual({ type: 'file', size: 6, mtimeMs: 1234.5, mode: 0o755, version: 1 });
  expect((await tab.history.steps(1)).map(({ changes }) => changes.length)).toEqual([70]);
  await tab.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
  await tab.history.restore(PERSON, 2);
  expect(await readTree(tab)).toEqual(tree);
  await tab.storage.compact();
  tab.close();
  tab = await openTab(name);
  expect(await readTree(tab)).toEqual(tree);
});

describe('when storage fails', () => {
  let name: string;
  let a: Tab;
  let b: Tab;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    [a, b] = await Promise.all([openTab(name), openTab(name)]);
    await fill(a, { '/f': 'before', '/d/g': 'before' });
  });

  /** A quota error can occur in the call or, as in browsers, when the transaction completes. */
  const QUOTAS: [string, () => void][] = [
    [
      'rejects a record',
      () => {
        vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        });
      },
    ],
    [
      'rejects a content',
      () => {
        const add = IDBObjectStore.prototype.add;
        vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value, key) {
          if (this.name === 'log') return add.call(this, value, key);
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        });
      },
    ],
    [
      'aborts the transaction',
      () => {
        const add = IDBObjectStore.prototype.add;
        vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value, key) {
          const request = add.call(this, value, key);
          const abort: unknown = Reflect.get(this.transaction, '_abort');
          if (typeof abort === 'function') abort.call(this.transaction, 'QuotaExceededError');
          return request;
        });
      },
    ],
  ];

  describe.each(QUOTAS)('a full disk that %s', (_, fillDisk) => {
    const large = 'x'.repeat(INLINE_MAX_BYTES + 1);

    test('is ENOSPC, and leaves everything unchanged, here and in the other tab', async () => {
      const before = await readTree(a);
      const { version } = await a.stat('/f');
      fillDisk();
      await expectCode(
        a.transaction(PERSON, async (tx) => {
          tx.writeFile('/f', bytesOf('after'));
          tx.writeFile('/new', bytesOf(large));
          tx.rm('/d', { recursive: true });
        }),
        'ENOSPC',
      );
      expect(await readTree(a)).toEqual(before);
      expect(await readTree(b)).toEqual(before);
      expect((await b.stat('/f')).version).toBe(version);
      expect(await readTree(await openTab(name))).toEqual(before);
    });

    test('does no lasting harm: once there is space again, both tabs continue to write', async () => {
      fillDisk();
      await expectCode(writeText(a, '/f', large), 'ENOSPC');
      vi.restoreAllMocks();
      await writeText(a, '/f', 'after');
      await writeText(b, '/d/g', 'after');
      await a.refresh();
      expect(await readTree(a)).toEqual({ '/d': null, '/d/g': 'after', '/f': 'after' });
    });
  });

  test('of transactions that are stored together, only those that do not fit fail', async () => {
    const add = IDBObjectStore.prototype.add;
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (value instanceof Uint8Array) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      return add.call(this, value, key);
    });
    const large = 'x'.repeat(INLINE_MAX_BYTES + 1);
    const outcomes = await Promise.allSettled([
      writeText(a, '/one', '1'),
      writeText(a, '/two', large),
      writeText(a, '/three', '3'),
      a.transaction(PERSON, async (tx) => tx.rename('/two', '/four')),
      increment(a, '/one'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await readTree(a)).toEqual({ '/d': null, '/d/g': 'before', '/f': 'before', '/one': '2', '/three': '3' });
  });

  test('a full disk while the log is folded or history is deleted leaves both unchanged', async () => {
    await writeText(a, '/f', 'after');
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    });
    await expectCode(a.storage.compact(), 'ENOSPC');
    await expectCode(a.history.forget(a.history.sequence), 'ENOSPC');
    vi.restoreAllMocks();
    expect(await readTree(a)).toEqual({ '/d': null, '/d/g': 'before', '/f': 'after' });
    expect(a.history.floor).toBe(0);
    expect(await readTree(await openTab(name))).toEqual(await readTree(a));
    await a.history.restore(PERSON, 1);
    expect(await readText(a, '/f')).toBe('before');
  });

  test('a file whose content is missing from storage is EIO and says so; the others are readable', async () => {
    const large = 'x'.repeat(INLINE_MAX_BYTES + 1);
    await writeText(a, '/f', large);
    const db = await openDB(name);
    await db.clear('blobs');
    db.close();
    const tab = await openTab(name);
    await expect(tab.readFile('/f')).rejects.toMatchObject({ code: 'EIO', path: '/f' });
    expect(await readText(tab, '/d/g')).toBe('before');
  });

  test('after the connection is closed, every operation is a FileSystemError, even in the middle of a transaction', async () => {
    await expectCode(
      a.transaction(PERSON, async (tx) => {
        tx.writeFile('/f', bytesOf('after'));
        a.close();
      }),
      'EIO',
    );
    await expectCode(a.readFile('/f'), 'EIO');
    await expectCode(a.readdir('/'), 'EIO');
    await expectCode(writeText(a, '/f', 'after'), 'EIO');
    expect(await look(b, '/f')).toBe('before');
  });

  test('in a browser without storage, opening is EIO', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is switched off.', 'SecurityError');
    });
    const opening = IndexedDbStorage.open('nowhere');
    await expect(opening).rejects.toThrow(FileSystemError);
    await expect(opening).rejects.toThrow('Storage is switched off.');
  });

  test('a tab that closes the database for a newer version of the studio says so', async () => {
    (await openDB(name, 99)).close();
    for (const operation of [a.readFile('/f'), writeText(a, '/f', 'x'), a.refresh(), a.history.steps(0)])
      await expect(operation).rejects.toMatchObject({
        code: 'EIO',
        message: expect.stringContaining('reload this page'),
      });
  });
});

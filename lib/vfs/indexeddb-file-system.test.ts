import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FileSystemError } from './errors.ts';
import type { FileChange } from './file-system.ts';
import { IndexedDbFileSystem } from './indexeddb-file-system.ts';
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
} from './test/contract.ts';

const opened: { close(): void }[] = [];
let databases = 0;

async function openTab(name: string): Promise<IndexedDbFileSystem> {
  const fileSystem = await IndexedDbFileSystem.open(name);
  opened.push(fileSystem);
  return fileSystem;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const tab of opened.splice(0)) tab.close();
});

describeFileSystem('IndexedDbFileSystem', () => openTab(`contract-${++databases}`));

describe('two tabs on one workspace', () => {
  let name: string;
  let a: IndexedDbFileSystem;
  let b: IndexedDbFileSystem;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    [a, b] = await Promise.all([openTab(name), openTab(name)]);
  });

  test('[R19] both write fifty files at once: none is lost, and both see all', async () => {
    const writes = Array.from({ length: 50 }, (_, index) => [
      writeText(a, `/a/${index}`, `a${index}`),
      writeText(b, `/b/${index}`, `b${index}`),
    ]);
    await Promise.all(writes.flat());
    const tree = await readTree(a);
    expect(Object.keys(tree)).toHaveLength(102);
    expect(tree).toMatchObject({ '/a/0': 'a0', '/a/49': 'a49', '/b/0': 'b0', '/b/49': 'b49' });
    expect(await readTree(b)).toEqual(tree);
    expect(await a.stat('/b/7')).toEqual(await b.stat('/b/7'));
  });

  test('[R19] counting up in one file at once from both loses no update', async () => {
    await writeText(a, '/n', '0');
    await Promise.all(Array.from({ length: 25 }, () => [increment(a, '/n'), increment(b, '/n')]).flat());
    expect(await readText(a, '/n')).toBe('50');
    expect(await readText(b, '/n')).toBe('50');
  });

  test('[R19] a transaction during which another tab’s commit arrives is run again from its reads', async () => {
    await writeText(a, '/n', '0');
    let attempts = 0;
    const result = await a.transaction(PERSON, async (tx) => {
      attempts++;
      const before = Number(await readText(tx, '/n'));
      if (attempts === 1) {
        await increment(b, '/n');
        // This tab learns of the other's commit in the middle of its own transaction.
        expect(await readText(a, '/n')).toBe('1');
      }
      tx.writeFile('/n', bytesOf(String(before + 1)));
      return before + 1;
    });
    expect(result).toBe(2);
    expect(attempts).toBe(2);
    expect(await readText(a, '/n')).toBe('2');
    expect(await readText(b, '/n')).toBe('2');
  });

  test('[R19] `ifVersion` holds against another tab’s commit that this one has not heard of', async () => {
    await writeText(a, '/f', 'first');
    const { version } = await a.stat('/f');
    await writeText(b, '/f', 'second');
    await expectCode(
      a.transaction(PERSON, async (tx) => tx.writeFile('/f', bytesOf('third'), { ifVersion: version })),
      'ESTALE',
    );
    expect(await readText(a, '/f')).toBe('second');
  });

  test('a transaction that stumbles over what another tab has just removed is run again, not failed', async () => {
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
    expect(await readText(b, '/sum')).toBe('1');
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
        const now = Number(await readText(b, '/f'));
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
    };
    await Promise.all([write(), read(), read(), read()]);
    expect(await readText(b, '/f')).toBe('60');
  });

  test('[R19] the other tab’s watchers hear of each commit once, with its author, without reading anything', async () => {
    await fill(a, { '/old': 'x', '/changed': 'x' });
    await b.stat('/');
    const heard: FileChange[] = [];
    b.watch((changes) => heard.push(...changes));
    await a.transaction(CALL, async (tx) => {
      tx.writeFile('/new', bytesOf('y'));
      tx.writeFile('/changed', bytesOf('y'));
      tx.rm('/old');
    });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await b.stat('/');
    expect(heard.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: '/changed', type: 'changed', author: CALL },
      { path: '/new', type: 'created', author: CALL },
      { path: '/old', type: 'deleted', author: CALL },
    ]);
  });

  test('a tab that reads while its own commit is stored reports that commit once, as what it was', async () => {
    const heard: FileChange[] = [];
    a.watch((changes) => heard.push(...changes));
    let writing = true;
    const read = async () => {
      while (writing) await a.stat('/');
    };
    const write = async () => {
      for (let index = 0; index < 30; index++) await writeText(a, `/${index}`, 'x');
      writing = false;
    };
    await Promise.all([write(), read(), read(), read()]);
    await a.stat('/');
    expect(heard.map(({ path, type }) => `${type} ${path}`)).toEqual(
      Array.from({ length: 30 }, (_, index) => `created /${index}`),
    );
  });

  test('a tab that missed more commits than are kept still sees everything, and its watchers hear of it', async () => {
    class DeafChannel extends EventTarget {
      onmessage = null;
      postMessage(): void {}
      close(): void {}
    }
    vi.stubGlobal('BroadcastChannel', DeafChannel);
    const asleep = await openTab(name);
    await fill(asleep, { '/kept': 'x', '/changed': 'x', '/deleted': 'x' });
    const heard: FileChange[] = [];
    asleep.watch((changes) => heard.push(...changes));
    await a.transaction(PERSON, async (tx) => {
      tx.rm('/deleted');
      tx.writeFile('/changed', bytesOf('y'));
    });
    for (let index = 0; index < 510; index++) await writeText(a, '/n', String(index));
    expect(await readTree(asleep)).toEqual({ '/changed': 'y', '/kept': 'x', '/n': '509' });
    expect(new Set(heard.map(({ path, type }) => `${type} ${path}`))).toEqual(
      new Set(['changed /changed', 'created /n', 'deleted /deleted']),
    );
    expect(await increment(asleep, '/n')).toBe(510);
    expect(await readText(a, '/n')).toBe('510');
  });
});

describe('what is stored', () => {
  let name: string;
  let fs: IndexedDbFileSystem;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    fs = await openTab(name);
  });

  /** The texts of all contents in the database, whoever refers to them. */
  async function storedContents(): Promise<string[]> {
    const db = await openDB(name);
    const contents: Uint8Array[] = await db.getAll('contents');
    db.close();
    return contents.map((data) => new TextDecoder().decode(data)).sort();
  }

  test('everything is there when the workspace is opened again, versions and modes included', async () => {
    await fill(fs, { '/d/empty': null, '/d/f': 'x', '/link': { link: 'd/f' }, '/日本語': 'y' });
    await fs.transaction(PERSON, async (tx) => tx.writeFile('/run', bytesOf('#!'), { mode: 0o755 }));
    const before = { tree: await readTree(fs), stat: await fs.stat('/run') };
    fs.close();
    const again = await openTab(name);
    expect({ tree: await readTree(again), stat: await again.stat('/run') }).toEqual(before);
    await writeText(again, '/run', 'new');
    expect((await again.stat('/run')).version).toBeGreaterThan(before.stat.version);
  });

  test('contents that no file refers to any more are removed with the commit that let go of them', async () => {
    await fill(fs, { '/a': 'first', '/b': 'b', '/d/deep/c': 'c' });
    await writeText(fs, '/a', 'second');
    expect(await storedContents()).toEqual(['b', 'c', 'second']);
    await fs.transaction(PERSON, async (tx) => {
      tx.rm('/d', { recursive: true });
      tx.rename('/b', '/a');
    });
    expect(await storedContents()).toEqual(['b']);
    await fs.transaction(PERSON, async (tx) => tx.rm('/a'));
    expect(await storedContents()).toEqual([]);
  });

  test('a content that two files share stays until both are gone', async () => {
    await fill(fs, { '/a': 'shared' });
    await fs.transaction(PERSON, async (tx) => tx.copy('/a', '/b'));
    await fs.transaction(PERSON, async (tx) => tx.rm('/a'));
    expect(await readText(fs, '/b')).toBe('shared');
    await writeText(fs, '/b', 'own');
    expect(await storedContents()).toEqual(['own']);
  });

  test('what a transaction wrote and then overwrote or removed itself is never stored', async () => {
    await fs.transaction(PERSON, async (tx) => {
      tx.writeFile('/f', bytesOf('draft'));
      tx.writeFile('/f', bytesOf('final'));
      tx.writeFile('/temporary', bytesOf('temporary'));
      tx.rm('/temporary');
    });
    expect(await readTree(fs)).toEqual({ '/f': 'final' });
    expect(await storedContents()).toEqual(['final']);
  });
});

describe('when storage fails', () => {
  let name: string;
  let a: IndexedDbFileSystem;
  let b: IndexedDbFileSystem;

  beforeEach(async () => {
    name = `workspace-${++databases}`;
    [a, b] = await Promise.all([openTab(name), openTab(name)]);
    await fill(a, { '/f': 'before', '/d/g': 'before' });
  });

  /** The quota's two ways: refused at the call, or, as browsers do it, when the transaction is to be completed. */
  const QUOTAS: [string, () => void][] = [
    [
      'refuses a put',
      () => {
        vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        });
      },
    ],
    [
      'aborts the transaction',
      () => {
        const put = IDBObjectStore.prototype.put;
        vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
          const request = put.call(this, value, key);
          const abort: unknown = Reflect.get(this.transaction, '_abort');
          if (typeof abort === 'function') abort.call(this.transaction, 'QuotaExceededError');
          return request;
        });
      },
    ],
  ];

  describe.each(QUOTAS)('a full disk that %s', (_, fillDisk) => {
    test('is ENOSPC, and leaves everything as it was, here and in the other tab', async () => {
      const before = await readTree(a);
      const { version } = await a.stat('/f');
      fillDisk();
      await expectCode(
        a.transaction(PERSON, async (tx) => {
          tx.writeFile('/f', bytesOf('after'));
          tx.writeFile('/new', bytesOf('after'));
          tx.rm('/d', { recursive: true });
        }),
        'ENOSPC',
      );
      expect(await readTree(a)).toEqual(before);
      expect(await readTree(b)).toEqual(before);
      expect((await b.stat('/f')).version).toBe(version);
      expect(await readTree(await openTab(name))).toEqual(before);
    });

    test('does no lasting harm: with room again, both tabs go on writing', async () => {
      fillDisk();
      await expectCode(writeText(a, '/f', 'lost'), 'ENOSPC');
      vi.restoreAllMocks();
      await writeText(a, '/f', 'after');
      await writeText(b, '/d/g', 'after');
      expect(await readTree(a)).toEqual({ '/d': null, '/d/g': 'after', '/f': 'after' });
    });
  });

  test('a file whose content has gone from storage is EIO and says so; the others are readable', async () => {
    const db = await openDB(name);
    const entry: unknown = await db.get('entries', '/f');
    await db.delete('contents', String(Reflect.get(Object(entry), 'contentId')));
    db.close();
    await expect(a.readFile('/f')).rejects.toMatchObject({ code: 'EIO', path: '/f' });
    expect(await readText(a, '/d/g')).toBe('before');
  });

  test('after its connection was closed every operation is a FileSystemError, also in the middle of a transaction', async () => {
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
    expect(await readText(b, '/f')).toBe('before');
  });

  test('a browser without storage is told at once: opening is EIO', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Storage is switched off.', 'SecurityError');
    });
    const opening = IndexedDbFileSystem.open('nowhere');
    await expect(opening).rejects.toThrow(FileSystemError);
    await expect(opening).rejects.toThrow('Storage is switched off.');
  });
});

import 'fake-indexeddb/auto';
import { expose, wrap } from 'comlink';
import { openDB } from 'idb';
import { afterEach, describe, expect, test } from 'vitest';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { readStoredTree } from '#lib/vfs/indexeddb/stored-tree.ts';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import {
  describeFileSystem,
  expectCode,
  fill,
  increment,
  PERSON,
  readText,
  readTree,
  writeText,
} from '#lib/vfs/test/contract.ts';
import { describeHistory } from '#lib/vfs/test/history-contract.ts';
import { makeVersion3 } from '#lib/vfs/test/version-3.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import { type HostedStorage, WorkspaceHost, type WorkspaceHostApi } from './workspace-host.ts';

const cleanUp: (() => void)[] = [];
let databases = 0;

afterEach(() => {
  for (const end of cleanUp.splice(0)) end();
});

/** A page whose storage is at the other end of a channel. */
async function connect(storage: HostedStorage) {
  keepFailures();
  const { port1, port2 } = new MessageChannel();
  cleanUp.push(() => port1.close());
  expose(new WorkspaceHost(storage), port1);
  const remote = await RemoteStorage.open(wrap<WorkspaceHost>(port2));
  const fileSystem = new TreeFileSystem(remote);
  return Object.assign(fileSystem, { remote, history: new WorkspaceHistory(remote, fileSystem) });
}

async function openIndexedDb(name = `remote-${++databases}`): Promise<IndexedDbStorage> {
  const storage = await IndexedDbStorage.open(name);
  cleanUp.push(() => storage.close());
  return storage;
}

describeFileSystem('RemoteStorage over memory', () => connect(new MemoryStorage()));
describeFileSystem('RemoteStorage over IndexedDB', async () => connect(await openIndexedDb()));
describeHistory('RemoteStorage over memory', () => connect(new MemoryStorage()));
describeHistory('RemoteStorage over IndexedDB', async () => connect(await openIndexedDb()));

describe('a page and its worker', () => {
  test('[R19] both change one file at the same time as another tab: no update is lost', async () => {
    const name = `remote-${++databases}`;
    const storage = await openIndexedDb(name);
    const page = await connect(storage);
    const worker = new TreeFileSystem(storage);
    const other = await connect(await openIndexedDb(name));
    await writeText(page, '/n', '0');
    await Promise.all(
      Array.from({ length: 20 }, () => [page, worker, other].map((side) => increment(side, '/n'))).flat(),
    );
    for (const side of [page, worker, other]) {
      await side.refresh();
      expect(await readText(side, '/n')).toBe('60');
    }
  });

  test('the page sees the worker’s commits, in order, with their changes', async () => {
    const storage = new MemoryStorage();
    const page = await connect(storage);
    const worker = new TreeFileSystem(storage);
    const heard: string[] = [];
    page.watch((changes) => heard.push(...changes.map(({ type, path }) => `${type} ${path}`)));
    await writeText(worker, '/a', 'x');
    await writeText(page, '/b', 'y');
    await writeText(worker, '/a', 'z');
    await page.refresh();
    expect(heard).toEqual(['created /a', 'created /b', 'changed /a']);
    expect(await readTree(page)).toEqual({ '/a': 'z', '/b': 'y' });
  });

  test('a page that opens a workspace with files has them all', async () => {
    const storage = new MemoryStorage();
    await fill(new TreeFileSystem(storage), { '/d/f': 'x', '/link': { link: 'd/f' }, '/empty': null, '/日本語': 'y' });
    const page = await connect(storage);
    expect(await readTree(page)).toEqual({
      '/d': null,
      '/d/f': 'x',
      '/empty': null,
      '/link': { link: 'd/f' },
      '/日本語': 'y',
    });
  });

  test('a page prefetches the contents of a small workspace', async () => {
    const storage = new MemoryStorage();
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`/f${index}`, `content ${index}`]));
    await fill(new TreeFileSystem(storage), files);
    const page = await connect(storage);
    await page.remote.prefetch();
    storage.readBlob = () => Promise.reject(new Error('asked the worker'));
    expect(await readTree(page)).toEqual(files);
    await writeText(page, '/f0', 'new');
    await expect(readText(page, '/f0')).rejects.toThrow('asked the worker');
  });

  test('content that cannot be prefetched does not stop the rest', async () => {
    const storage = new MemoryStorage();
    await fill(new TreeFileSystem(storage), { '/a': 'x', '/b': 'yy' });
    const page = await connect(storage);
    const read = storage.readBlob.bind(storage);
    const refuse = () => Promise.reject(new Error('asked the worker'));
    storage.readBlob = (content, path) => (content.size === 1 ? refuse() : read(content, path));
    await page.remote.prefetch();
    storage.readBlob = refuse;
    expect(await readText(page, '/b')).toBe('yy');
    await expect(readText(page, '/a')).rejects.toThrow('asked the worker');
  });

  test('a large workspace is not prefetched', async () => {
    const storage = new MemoryStorage();
    const files = Array.from({ length: 300 }, (_, index) => [`/f${index}`, 'z'.repeat(30_000)] as const);
    await fill(new TreeFileSystem(storage), Object.fromEntries(files));
    const page = await connect(storage);
    storage.readBlob = () => Promise.reject(new Error('asked the worker'));
    await page.remote.prefetch();
    await expect(readText(page, '/f0')).rejects.toThrow('asked the worker');
  });

  test('if the worker is gone, pending and later operations say so', async () => {
    const storage = new MemoryStorage();
    const page = await connect(storage);
    await writeText(page, '/f', 'x');
    storage.commit = () => new Promise(() => undefined);
    const waiting = writeText(page, '/f', 'y');
    await new Promise((resolve) => setTimeout(resolve, 10));
    page.remote.fail('the worker has ended; reload this page');
    await expect(waiting).rejects.toThrow('EIO: the worker has ended; reload this page');
    await expectCode(page.readFile('/f'), 'EIO');
    await expectCode(
      page.transaction(PERSON, async (tx) => tx.mkdir('/d')),
      'EIO',
    );
  });
});

describe('a page that reads the tree itself', () => {
  const TREE = { '/d': null, '/d/f': 'x', '/link': { link: 'd/f' } };

  async function follow(name: string, start?: () => Promise<WorkspaceHostApi>) {
    const read = await readStoredTree(name);
    if (read === undefined) throw new Error('nothing was read');
    let starts = 0;
    const remote = RemoteStorage.follow(async () => {
      starts++;
      if (start !== undefined) return start();
      const { port1, port2 } = new MessageChannel();
      cleanUp.push(() => port1.close());
      expose(new WorkspaceHost(await openIndexedDb(name)), port1);
      return wrap<WorkspaceHost>(port2);
    }, read);
    const fileSystem = new TreeFileSystem(remote);
    return Object.assign(fileSystem, {
      remote,
      starts: () => starts,
      history: new WorkspaceHistory(remote, fileSystem),
    });
  }

  async function make(): Promise<string> {
    const name = `remote-${++databases}`;
    await fill(new TreeFileSystem(await openIndexedDb(name)), TREE);
    return name;
  }

  test('shows it without a worker, which starts with the first operation that needs it', async () => {
    const page = await follow(await make());
    expect((await page.readdir('/d')).map(({ name }) => name)).toEqual(['f']);
    expect(await page.readlink('/link')).toBe('d/f');
    expect((await page.stat('/link')).size).toBe(1);
    await expectCode(page.readdir('/none'), 'ENOENT');
    expect(page.starts()).toBe(0);
    expect(await readText(page, '/d/f')).toBe('x');
    await writeText(page, '/new', 'y');
    expect(await readTree(page)).toEqual({ ...TREE, '/new': 'y' });
    expect(page.starts()).toBe(1);
  });

  test('[R20] a folder that came back empty is empty, whatever it held before', async () => {
    const name = `remote-${++databases}`;
    const storage = await openIndexedDb(name);
    const fileSystem = new TreeFileSystem(storage);
    const history = new WorkspaceHistory(storage, fileSystem);
    await fileSystem.transaction(PERSON, async (tx) => tx.mkdir('/d'));
    const empty = history.sequence;
    await writeText(fileSystem, '/d/f', 'x');
    await fileSystem.transaction(PERSON, async (tx) => tx.rm('/d', { recursive: true }));
    await history.restore(PERSON, empty);
    const page = await follow(name);
    expect((await page.readdir('/d')).map((entry) => entry.name)).toEqual([]);
    expect(page.starts()).toBe(0);
  });

  test('[R19] picks up what another tab has done since, and its watchers are notified', async () => {
    const name = await make();
    const page = await follow(name);
    const heard: string[] = [];
    page.watch((changes) => heard.push(...changes.map(({ type, path }) => `${type} ${path}`)));
    const other = new TreeFileSystem(await openIndexedDb(name));
    await writeText(other, '/n', '0');
    await Promise.all([increment(page, '/n'), increment(other, '/n')]);
    await page.refresh();
    expect(await readText(page, '/n')).toBe('2');
    expect(heard).toContain('created /n');
  });

  test('reports that its worker cannot be started for every operation that needs it', async () => {
    const name = await make();
    const page = await follow(name, () => Promise.reject(new FileSystemError('EIO', '/', { detail: 'no worker' })));
    expect((await page.readdir('/d')).length).toBe(1);
    await expect(writeText(page, '/f', 'x')).rejects.toMatchObject({ code: 'EIO', detail: 'no worker' });
    await expectCode(page.readdir('/d'), 'EIO');
    await page.remote.prefetch();
  });

  test('does not create a missing workspace, and leaves one of another version to the worker', async () => {
    expect(await readStoredTree('nobody’s')).toBeUndefined();
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('nobody’s');
    const old = `remote-${++databases}`;
    await makeVersion3(old);
    expect(await readStoredTree(old)).toBeUndefined();
    const db = await openDB(old);
    expect(db.version).toBe(3);
    db.close();
  });

  test('leaves a tree with a newly restored folder or a long tail to the worker', async () => {
    const name = await make();
    const storage = await openIndexedDb(name);
    const tab = new TreeFileSystem(storage);
    const history = new WorkspaceHistory(storage, tab);
    await fill(tab, Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/many/${index}`, `${index}`])));
    const point = history.sequence;
    await tab.transaction(PERSON, async (tx) => tx.rm('/many', { recursive: true }));
    expect(await readTree(await follow(name))).toEqual(TREE);
    await history.restore(PERSON, point);
    expect(await readStoredTree(name)).toBeUndefined();
    await storage.compact();
    expect((await (await follow(name)).readdir('/many')).length).toBe(100);
    for (let index = 0; index < 260; index++) await writeText(tab, '/f', `${index}`);
    expect(await readStoredTree(name)).toBeUndefined();
  });
});

import 'fake-indexeddb/auto';
import { expose, wrap } from 'comlink';
import { afterEach, describe, expect, test } from 'vitest';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
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
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { keepFailures } from './rpc.ts';
import { type HostedStorage, WorkspaceHost } from './workspace-host.ts';

const cleanUp: (() => void)[] = [];
let databases = 0;

afterEach(() => {
  for (const end of cleanUp.splice(0)) end();
});

/** A page whose storage is on the other side of a channel. */
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
  test('[R19] both change one file at once, and another tab too: no update is lost', async () => {
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

  test('what the worker commits is seen by the page, in order, with its changes', async () => {
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

  test('a page that opens a workspace with files in it has them all', async () => {
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

  test('a page reads the contents of a small workspace ahead', async () => {
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

  test('a content that cannot be read ahead does not stop the others', async () => {
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

  test('a large workspace is not read ahead', async () => {
    const storage = new MemoryStorage();
    const files = Array.from({ length: 300 }, (_, index) => [`/f${index}`, 'z'.repeat(30_000)] as const);
    await fill(new TreeFileSystem(storage), Object.fromEntries(files));
    const page = await connect(storage);
    storage.readBlob = () => Promise.reject(new Error('asked the worker'));
    await page.remote.prefetch();
    await expect(readText(page, '/f0')).rejects.toThrow('asked the worker');
  });

  test('a worker that goes is told to everything that waits for it and comes after', async () => {
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

import 'fake-indexeddb/auto';
import { expose, wrap } from 'comlink';
import { afterEach, test } from 'vitest';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { readStoredTree } from '#lib/vfs/indexeddb/stored-tree.ts';
import { fuzz, type Tab } from '#lib/vfs/test/fuzz.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { RemoteStorage } from './remote-storage.ts';
import { WorkspaceHost } from './workspace-host.ts';

const SEEDS = Array.from({ length: 6 }, (_, index) => index + 101);

const tabs: Tab[] = [];

/** A page and its worker. */
async function openTab(name: string): Promise<Tab> {
  const storage = await IndexedDbStorage.open(name);
  const { port1, port2 } = new MessageChannel();
  expose(new WorkspaceHost(storage), port1);
  const host = wrap<WorkspaceHost>(port2);
  const read = await readStoredTree(name);
  const remote =
    read === undefined ? await RemoteStorage.open(host) : RemoteStorage.follow(() => Promise.resolve(host), read);
  const fileSystem = new TreeFileSystem(remote);
  const close = () => {
    storage.close();
    port1.close();
  };
  const tab = {
    fileSystem,
    history: new WorkspaceHistory(remote, fileSystem),
    compact: () => storage.compact(),
    close,
  };
  tabs.push(tab);
  return tab;
}

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});

test.each(SEEDS)(
  'whatever two pages with their workers do, the result is the same as in memory (seed %i)',
  async (seed) => {
    await fuzz(seed, () => openTab(`remote-fuzz-${seed}`));
  },
);

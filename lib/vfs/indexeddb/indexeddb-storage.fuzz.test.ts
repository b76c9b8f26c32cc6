import 'fake-indexeddb/auto';
import { afterEach, test } from 'vitest';
import { WorkspaceHistory } from '../history.ts';
import { fuzz, type Tab } from '../test/fuzz.ts';
import { TreeFileSystem } from '../tree-file-system.ts';
import { IndexedDbStorage } from './indexeddb-storage.ts';

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

const tabs: Tab[] = [];

async function openTab(name: string): Promise<Tab> {
  const storage = await IndexedDbStorage.open(name);
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  const tab = { fileSystem, history, compact: () => storage.compact(), close: () => storage.close() };
  tabs.push(tab);
  return tab;
}

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close();
});

test.each(SEEDS)('whatever is done in two tabs, all is as in memory (seed %i)', (seed) =>
  fuzz(seed, () => openTab(`fuzz-${seed}`)),
);

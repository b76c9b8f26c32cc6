import 'fake-indexeddb/auto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { WorkspaceHistory } from '../history.ts';
import { type FuzzCounts, fuzz, type Tab } from '../test/fuzz.ts';
import { TreeFileSystem } from '../tree-file-system.ts';
import { IndexedDbStorage } from './indexeddb-storage.ts';

/** `FUZZ_SEEDS=2000 npm run unit -- lib/vfs/indexeddb/indexeddb-storage.fuzz.test.ts` tries that many seeds. */
const SEEDS = Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 12) }, (_, index) => index + 1);

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

const counts: FuzzCounts[] = [];

test.each(SEEDS)('whatever two tabs do, the result is the same as in memory (seed %i)', async (seed) => {
  counts.push(await fuzz(seed, () => openTab(`fuzz-${seed}`)));
  indexedDB.deleteDatabase(`fuzz-${seed}`);
});

afterAll(() => {
  const both = counts.filter(({ forgotAfterFold, foldedAfterForget }) => forgotAfterFold > 0 && foldedAfterForget > 0);
  expect(both.length, 'seeds that delete history after a fold and then fold again').toBeGreaterThan(counts.length / 2);
});

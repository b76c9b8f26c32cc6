import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import { FileSystemError } from '../errors.ts';
import type { FileSystemTransaction } from '../file-system.ts';
import { WorkspaceHistory } from '../history.ts';
import { INLINE_MAX_BYTES } from '../limits.ts';
import { MemoryFileSystem } from '../memory-file-system.ts';
import { bytesOf, PERSON, readTree } from '../test/contract.ts';
import { random } from '../test/random.ts';
import { TreeFileSystem } from '../tree-file-system.ts';
import { IndexedDbStorage } from './indexeddb-storage.ts';

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);
const STEPS = 150;

interface Tab {
  storage: IndexedDbStorage;
  fileSystem: TreeFileSystem;
  history: WorkspaceHistory;
}

const tabs: Tab[] = [];

async function openTab(name: string): Promise<Tab> {
  const storage = await IndexedDbStorage.open(name);
  const fileSystem = new TreeFileSystem(storage);
  const tab = { storage, fileSystem, history: new WorkspaceHistory(storage, fileSystem) };
  tabs.push(tab);
  return tab;
}

afterEach(() => {
  for (const { storage } of tabs.splice(0)) storage.close();
});

type Change = (tx: FileSystemTransaction) => void;

/** A change of a few paths, so that changes meet; what is impossible is left out, in the same way everywhere. */
function randomChange(next: () => number): Change {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const path = () => pick(['/a', '/b', '/d', '/d/a', '/d/e', '/d/e/f', '/d/e/g', '/x/y', '/x/y/z', '/l']);
  const [one, other] = [path(), path()];
  const text = `${Math.floor(next() * 1e6)}`.repeat(next() < 0.1 ? INLINE_MAX_BYTES / 4 : 1 + Math.floor(next() * 50));
  const kinds: Change[] = [
    (tx) => tx.writeFile(one, bytesOf(text)),
    (tx) => tx.writeFile(one, bytesOf(text)),
    (tx) => tx.writeFile(one, new Uint8Array(), { mode: 0o755 }),
    (tx) => tx.mkdir(one),
    (tx) => tx.rm(one, { recursive: true }),
    (tx) => tx.rename(one, other),
    (tx) => tx.copy(one, other),
    (tx) => tx.symlink(other, one),
    (tx) => tx.setAttributes(one, { mode: 0o700 }),
    (tx) => {
      for (let index = 0; index < 60; index++) tx.writeFile(`${one}/many/${index}`, bytesOf(text.slice(0, 3000)));
    },
  ];
  const changes = Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(kinds));
  return (tx) => {
    for (const change of changes) {
      try {
        change(tx);
      } catch (error) {
        if (!(error instanceof FileSystemError)) throw error;
      }
    }
  };
}

test.each(SEEDS)(
  'whatever is done, in two tabs, with folding, forgetting and reopening in between: all is as in memory (seed %i)',
  async (seed) => {
    const next = random(seed);
    const name = `fuzz-${seed}`;
    const memory = new MemoryFileSystem();
    let [a, b] = [await openTab(name), await openTab(name)];
    // Points of both histories at which the files were the same.
    const points: [stored: number, inMemory: number][] = [[0, 0]];
    for (let step = 0; step < STEPS; step++) {
      const kind = next();
      const tab = next() < 0.5 ? a : b;
      await tab.fileSystem.refresh();
      if (kind < 0.03) await tab.storage.compact();
      else if (kind < 0.05) await tab.history.forget(Math.max(0, tab.history.sequence - 20));
      else if (kind < 0.08) {
        tab.storage.close();
        if (tab === a) a = await openTab(name);
        else b = await openTab(name);
      } else if (kind < 0.15) {
        const known = points.filter(([stored]) => stored >= tab.history.floor);
        const point = known[Math.floor(next() * known.length)];
        if (point === undefined) continue;
        await tab.history.restore(PERSON, point[0]);
        await memory.history.restore(PERSON, point[1]);
      } else {
        const change = randomChange(next);
        await tab.fileSystem.transaction(PERSON, async (tx) => change(tx));
        await memory.transaction(PERSON, async (tx) => change(tx));
      }
      const current = tab === a || tab === b ? tab : a;
      if (next() < 0.2) {
        const seen = kind >= 0.05 && kind < 0.08 ? a : current;
        await seen.fileSystem.refresh();
        expect(await readTree(seen.fileSystem), `step ${step}`).toEqual(await readTree(memory));
        points.push([seen.history.sequence, memory.history.sequence]);
      }
    }
    for (const { fileSystem } of [a, b, await openTab(name)]) {
      await fileSystem.refresh();
      expect(await readTree(fileSystem)).toEqual(await readTree(memory));
    }
  },
);

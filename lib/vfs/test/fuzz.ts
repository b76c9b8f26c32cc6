import { expect } from 'vitest';
import { FileSystemError } from '../errors.ts';
import type { Author, FileSystemTransaction } from '../file-system.ts';
import type { WorkspaceHistory } from '../history.ts';
import { INLINE_MAX_BYTES } from '../limits.ts';
import { MemoryFileSystem } from '../memory-file-system.ts';
import type { TreeFileSystem } from '../tree-file-system.ts';
import { bytesOf, PERSON, readTree } from './contract.ts';
import { random } from './random.ts';

/** The number of random steps. */
const STEPS = 150;

/** A workspace opened in one tab. */
export interface Tab {
  fileSystem: TreeFileSystem;
  history: WorkspaceHistory;
  compact(): Promise<void>;
  close(): void;
}

const CALL = { type: 'call', toolCallId: 'call' } as const;

const randomAuthor = (next: () => number): Author => (next() < 0.3 ? CALL : PERSON);

type Change = (tx: FileSystemTransaction) => void;

/** A change to a few paths, so that changes collide; impossible steps are skipped, consistently everywhere. */
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
      for (let index = 0; index < 70; index++) tx.writeFile(`${one}/many/${index}`, bytesOf(text.slice(0, 3000)));
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

/** Counts of the two operations that move contents whose old locations another tab may know. */
export interface FuzzCounts {
  forgotAfterFold: number;
  foldedAfterForget: number;
}

/**
 * Does random operations in two tabs, with folding, deleting history and reopening in between, and expects the files to
 * match the ones in memory at all times, and a restored point to match its original state.
 */
export async function fuzz(seed: number, openTab: () => Promise<Tab>): Promise<FuzzCounts> {
  const next = random(seed);
  const memory = new MemoryFileSystem();
  const counts: FuzzCounts = { forgotAfterFold: 0, foldedAfterForget: 0 };
  let [a, b] = [await openTab(), await openTab()];
  const change = async (tab: Tab) => {
    await tab.fileSystem.refresh();
    const job = { author: randomAuthor(next), change: randomChange(next) };
    for (const fileSystem of [tab.fileSystem, memory])
      await fileSystem.transaction(job.author, async (tx) => job.change(tx));
  };
  // Points of both histories at which the files were the same.
  const points: [stored: number, inMemory: number, tree: unknown][] = [[0, 0, {}]];
  for (let step = 0; step < STEPS; step++) {
    const kind = next();
    const tab = next() < 0.5 ? a : b;
    await tab.fileSystem.refresh();
    if (kind < 0.03) await tab.compact();
    else if (kind < 0.05) await tab.history.forget(Math.max(0, tab.history.sequence - 20));
    else if (kind < 0.08) {
      tab.close();
      if (tab === a) a = await openTab();
      else b = await openTab();
    } else if (kind < 0.15) {
      const known = points.filter(([stored]) => stored >= tab.history.floor);
      const point = known[Math.floor(next() * known.length)];
      if (point === undefined) continue;
      await tab.history.restore(PERSON, point[0]);
      await memory.history.restore(PERSON, point[1]);
      expect(await readTree(memory), `step ${step}`).toEqual(point[2]);
    } else if (kind < 0.2) {
      // One tab folds. Then one of the two, which may have just been opened, deletes history, and the other one folds.
      await tab.compact();
      if (next() < 0.5) {
        if (tab === a) {
          b.close();
          b = await openTab();
        } else {
          a.close();
          a = await openTab();
        }
      }
      const [forgetting, folding] = next() < 0.5 ? [a, b] : [b, a];
      const before = forgetting.history.floor;
      await forgetting.history.forget(Math.max(0, forgetting.history.sequence - Math.floor(next() * 10)));
      if (forgetting.history.floor > before) counts.forgotAfterFold++;
      if (next() < 0.8) await change(folding);
      if (next() < 0.3) await change(forgetting);
      await folding.compact();
      if (forgetting.history.floor > before) counts.foldedAfterForget++;
    } else {
      // Transactions requested together are stored together.
      const count = next() < 0.7 ? 1 : 2 + Math.floor(next() * 6);
      const jobs = Array.from({ length: count }, () => ({ author: randomAuthor(next), change: randomChange(next) }));
      for (const fileSystem of [tab.fileSystem, memory])
        await Promise.all(jobs.map(({ author, change }) => fileSystem.transaction(author, async (tx) => change(tx))));
    }
    if (kind >= 0.05 && kind < 0.08 && next() < 0.5) {
      // The view before anything else has been requested.
      const opened = await openTab();
      expect(await readTree(opened.fileSystem), `step ${step}`).toEqual(await readTree(memory));
      opened.close();
    }
    if (next() < 0.1) {
      const { fileSystem, history } = step % 2 === 0 ? a : b;
      await fileSystem.refresh();
      const steps = await history.steps(history.floor);
      const ofCall = steps.filter(({ author }) => author.type === 'call').map(({ sequence }) => sequence);
      expect(await history.sequencesOf(CALL.toolCallId), `step ${step}`).toEqual(ofCall.reverse());
    }
    const current = tab === a || tab === b ? tab : a;
    if (next() < 0.2) {
      const seen = kind >= 0.05 && kind < 0.08 ? a : current;
      await seen.fileSystem.refresh();
      const tree = await readTree(memory);
      expect(await readTree(seen.fileSystem), `step ${step}`).toEqual(tree);
      points.push([seen.history.sequence, memory.history.sequence, tree]);
    }
  }
  for (const { fileSystem } of [a, b, await openTab()]) {
    await fileSystem.refresh();
    expect(await readTree(fileSystem)).toEqual(await readTree(memory));
  }
  return counts;
}

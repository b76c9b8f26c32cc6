import { expect, test } from 'vitest';
import { changeType } from './file-changes.ts';
import type { Author } from './file-system.ts';
import type { HistoryCommit } from './history.ts';
import { MemoryFileSystem } from './memory-file-system.ts';
import { CALL, fill, PERSON, writeText } from './test/contract.ts';
import { type TimelineEntry, toTimeline } from './timeline.ts';

const summary = ({ author, sequences, changes }: TimelineEntry) => [
  author.type,
  sequences,
  changes.map(({ path, before, after }) => `${changeType(before, after)} ${path}`),
];

test('all steps of a call are one entry, even if they are not adjacent', async () => {
  const fs = new MemoryFileSystem();
  await fill(fs, { '/a': '1' });
  await writeText(fs, '/a', '2', CALL);
  await writeText(fs, '/b', 'by hand');
  await writeText(fs, '/a', '3', CALL);
  await writeText(fs, '/c', 'c', CALL);
  expect(toTimeline(await fs.history.steps(0)).map(summary)).toEqual([
    ['call', [5, 4, 2], ['changed /a', 'created /c']],
    ['person', [3], ['created /b']],
    ['person', [1], ['created /a']],
  ]);
});

const TYPING: Author = { type: 'person', isTyping: true };

test('typing into one file is one entry until there is a pause', async () => {
  const fs = new MemoryFileSystem();
  await writeText(fs, '/a', '0');
  for (const text of ['1', '2', '3', '4']) await writeText(fs, '/a', text, TYPING);
  await writeText(fs, '/b', 'x', TYPING);
  const steps = (await fs.history.steps(0)).map(
    (step): HistoryCommit => ({ ...step, time: step.sequence <= 3 ? step.time - 120_000 : step.time }),
  );
  expect(toTimeline(steps).map(({ sequences }) => sequences)).toEqual([[6], [5, 4], [3, 2], [1]]);
});

test('creating, replacing, deleting, undoing and restoring are separate entries, however close together', async () => {
  const fs = new MemoryFileSystem();
  await writeText(fs, '/a', '1');
  await writeText(fs, '/a', '2', TYPING);
  await writeText(fs, '/a', 'replaced');
  await writeText(fs, '/a', '3', TYPING);
  await fs.history.undo(PERSON, [4]);
  await fs.transaction(PERSON, async (tx) => tx.rm('/a'));
  await fs.history.restore(PERSON, 5);
  await writeText(fs, '/a', '4', TYPING);
  const entries = toTimeline(await fs.history.steps(0));
  expect(entries.map(({ sequences }) => sequences)).toEqual([[8], [7], [6], [5], [4], [3], [2], [1]]);
  for (const { changes } of entries) expect(changes).toHaveLength(1);
});

test('a file that one entry created and removed again is not among its changes', async () => {
  const fs = new MemoryFileSystem();
  await writeText(fs, '/a', '1', CALL);
  await fs.transaction(CALL, async (tx) => tx.rm('/a'));
  await writeText(fs, '/b', '1', CALL);
  expect(toTimeline(await fs.history.steps(0)).map(summary)).toEqual([['call', [3, 2, 1], ['created /b']]]);
});

import { beforeEach, expect, test } from 'vitest';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import type { ToolCapabilities } from '#lib/tools/tool.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { CALL, PERSON, readTree, writeText } from '#lib/vfs/test/contract.ts';
import { ThreadFiles } from './thread-files.ts';

const OTHER: Author = { type: 'call', toolCallId: 'of-another-thread' };
const OWN = new Set(['call-1']);

let fs: MemoryFileSystem;
let capabilities: ToolCapabilities;
let edits: (() => Promise<void>)[];

beforeEach(() => {
  fs = new MemoryFileSystem();
  capabilities = testCapabilities(fs);
  edits = [];
});

const open = (onMove?: () => void) =>
  new ThreadFiles({
    workspaceId: crypto.randomUUID(),
    fileSystem: fs,
    history: fs.history,
    capabilities,
    saveEdits: async () => {
      for (const save of edits.splice(0)) await save();
    },
    ...(onMove !== undefined && { onMove }),
  });

test('[R20] the point of the files has what was being edited', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  edits.push(() => writeText(fs, '/a', 'typed'));
  expect(await files.record()).toBe(2);
});

test('[R20] a plan names what others have changed, and not what the thread itself did', async () => {
  const files = open();
  await writeText(fs, '/a', 'one', CALL);
  await writeText(fs, '/a', 'two', CALL);
  await writeText(fs, '/mine', 'x');
  await writeText(fs, '/theirs', 'x', OTHER);
  expect(await files.planMove(1, OWN)).toEqual({
    type: 'move',
    others: [
      { path: '/theirs', by: 'thread' },
      { path: '/mine', by: 'person' },
    ],
  });
  expect(await files.planMove(4, OWN)).toEqual({ type: 'nothing' });
});

test('[R20] unsaved edits are saved before a plan is made, and named in it', async () => {
  const files = open();
  await writeText(fs, '/a', 'one', CALL);
  edits.push(() => writeText(fs, '/a', 'typed'));
  expect(await files.planMove(1, OWN)).toEqual({ type: 'move', others: [{ path: '/a', by: 'person' }] });
});

test('[R20] what an earlier move has taken out of sight is not named again', async () => {
  const files = open();
  await writeText(fs, '/a', 'one', CALL);
  await writeText(fs, '/mine', 'left branch');
  await files.move(1);
  await writeText(fs, '/a', 'right branch', CALL);
  expect(await files.planMove(1, OWN)).toEqual({ type: 'move', others: [] });
});

test('[R20] files move only while no call is active, and say so before', async () => {
  const moves: string[] = [];
  const files = open(() => moves.push('told'));
  await writeText(fs, '/a', 'one');
  await writeText(fs, '/a', 'two');
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const active = files.whileActive(() => {
    entered.resolve();
    return gate.promise;
  });
  await entered.promise;
  expect(files.isActive).toBe(true);
  expect(await files.move(1)).toBe(false);
  expect(await readTree(fs)).toEqual({ '/a': 'two' });
  gate.resolve();
  await active;
  expect(await files.move(1)).toBe(true);
  expect(await readTree(fs)).toEqual({ '/a': 'one' });
  expect(moves).toEqual(['told']);
});

test('a point that was forgotten is said', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  await writeText(fs, '/a', 'two');
  await fs.history.forget(2);
  expect(await files.planMove(1, OWN)).toEqual({ type: 'forgotten' });
  await fs.history.restore(PERSON, 2);
});

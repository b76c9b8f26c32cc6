import { beforeEach, expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import type { ToolCapabilities } from '#lib/tools/capabilities/capabilities.ts';
import { NOTHING_KNOWN } from '#lib/tools/execution/known-files.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import type { Author } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { CALL, PERSON, readTree, writeText } from '#lib/vfs/test/contract.ts';
import { ThreadFiles } from './thread-files.ts';
import { WebMoveLock } from './web-move-lock.ts';

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
    moveLock: new WebMoveLock(crypto.randomUUID()),
    fileSystem: fs,
    history: fs.history,
    capabilities,
    saveEdits: async () => {
      for (const save of edits.splice(0)) await save();
    },
    ...(onMove !== undefined && { onMove }),
  });

test('[R20] the point of the files includes pending edits', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  edits.push(() => writeText(fs, '/a', 'typed'));
  expect(await files.record()).toBe(2);
});

test('[R20] a plan lists what others have changed, but not what the thread itself did', async () => {
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

test('[R20] unsaved edits are saved before a plan is made, and listed in it', async () => {
  const files = open();
  await writeText(fs, '/a', 'one', CALL);
  edits.push(() => writeText(fs, '/a', 'typed'));
  expect(await files.planMove(1, OWN)).toEqual({ type: 'move', others: [{ path: '/a', by: 'person' }] });
});

test('[R20] changes that an earlier move has already undone are not listed again', async () => {
  const files = open();
  await writeText(fs, '/a', 'one', CALL);
  await writeText(fs, '/mine', 'left branch');
  await files.move(1);
  await writeText(fs, '/a', 'right branch', CALL);
  expect(await files.planMove(1, OWN)).toEqual({ type: 'move', others: [] });
});

test('[R20] files move only while no call is active, after a notification', async () => {
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

test('a point that has been deleted is reported', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  await writeText(fs, '/a', 'two');
  await fs.history.forget(2);
  expect(await files.planMove(1, OWN)).toEqual({ type: 'forgotten' });
  await fs.history.restore(PERSON, 2);
});

const hashOf = (text: string) => sha256(new TextEncoder().encode(text));

test('the files of a call are those it created or changed, as it left them', async () => {
  const files = open();
  await writeText(fs, '/kept', 'one', CALL);
  await writeText(fs, '/gone', 'one', CALL);
  await writeText(fs, '/kept', 'two', OTHER);
  await fs.transaction(CALL, async (tx) => {
    tx.rm('/gone');
    tx.copy('/kept', '/d/copy');
    tx.mkdir('/empty');
  });
  await writeText(fs, '/kept', 'three');
  const seen = { hashOf: () => undefined, hasSeen: () => true };
  expect(await files.writtenBy('call-1', seen)).toEqual([
    { path: '/kept', hash: await hashOf('one') },
    { path: '/d/copy', hash: await hashOf('two') },
  ]);
  expect(await files.writtenBy('call-2', seen)).toEqual([]);
});

test('a file that a call changed is known after it only if the model knew its whole content before', async () => {
  const files = open();
  const [one, two] = await Promise.all([hashOf('one'), hashOf('two')]);
  const knowing = (hash: string | undefined) => ({ hashOf: () => hash, hasSeen: () => false });
  await writeText(fs, '/a', 'one');
  await writeText(fs, '/a', 'two', CALL);
  expect(await files.writtenBy('call-1', knowing(one))).toEqual([{ path: '/a', hash: two }]);
  expect(await files.writtenBy('call-1', knowing(undefined))).toEqual([]);
  expect(await files.writtenBy('call-1', knowing(await hashOf('what the user had before')))).toEqual([]);
  // The user changed it while the call was running.
  await writeText(fs, '/a', 'one, typed');
  await writeText(fs, '/a', 'three', CALL);
  expect(await files.writtenBy('call-1', knowing(one))).toEqual([]);
});

test('a moved file is known only if the model knew it at its old path', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  await fs.transaction(CALL, async (tx) => tx.rename('/a', '/b'));
  expect(await files.writtenBy('call-1', NOTHING_KNOWN)).toEqual([]);
  const hash = await hashOf('one');
  const seen = { hashOf: () => undefined, hasSeen: (other: string) => other === hash };
  expect(await files.writtenBy('call-1', seen)).toEqual([{ path: '/b', hash }]);
});

test('for a call that changed very many files, some are listed, but none that is too large to read', async () => {
  const files = open();
  await fs.transaction(CALL, async (tx) => {
    tx.writeFile('/large', new Uint8Array(2_000_000));
    for (let n = 0; n < 1_000; n++) tx.writeFile(`/many/${n}`, new Uint8Array([n % 256]));
  });
  const written = await files.writtenBy('call-1', NOTHING_KNOWN);
  expect(written).toHaveLength(199);
});

test('an earlier content of a file is found by its hash, as long as the history has it', async () => {
  const files = open();
  await writeText(fs, '/a', 'one');
  await writeText(fs, '/b', 'one, elsewhere');
  await writeText(fs, '/a', 'two');
  await writeText(fs, '/a', 'three');
  expect(await files.textOf('/a', await hashOf('one'))).toBe('one');
  expect(await files.textOf('/a', await hashOf('two'))).toBe('two');
  expect(await files.textOf('/a', await hashOf('one, elsewhere'))).toBeUndefined();
  await fs.history.forget(fs.history.sequence);
  expect(await files.textOf('/a', await hashOf('one'))).toBeUndefined();
});

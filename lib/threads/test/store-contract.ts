import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { Thread } from '../thread.ts';
import type { ThreadStore } from '../thread-store.ts';

export const threadOf = (id: string, change: Partial<Thread> = {}): Thread => ({
  id,
  title: '',
  titledBy: 'nobody',
  createdAt: 1,
  updatedAt: 1,
  headId: null,
  chosen: {},
  settings: { model: null, toolCalling: 'auto', toolsets: ['files'], systemPrompt: null },
  grants: [],
  grantedAt: {},
  activity: 'settled',
  workspaceId: 'w',
  checkpoints: {},
  heads: {},
  ...change,
});

export const said = (id: string, text = id): Message => ({
  id,
  role: 'user',
  createdAt: 1,
  parts: [{ type: 'text', text }],
});

export const called = (id: string, ...toolCallIds: string[]): Message => ({
  id,
  role: 'assistant',
  createdAt: 1,
  status: { type: 'waiting' },
  parts: toolCallIds.map((toolCallId) => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'read_file',
    inputState: 'complete',
    input: { path: '/a' },
  })),
});

export const resultOf = (toolCallId: string, content = 'done'): ToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read_file',
  output: { content, data: { lc: 1, type: 'constructor' } },
});

export const claimOf = (toolCallId: string, claimant: string) => ({
  toolCallId,
  claimant,
});

/** Tests the contract of every thread store. `open` resolves with a new, empty store. */
export function describeThreadStore(open: () => Promise<ThreadStore>): void {
  let store: ThreadStore;

  beforeEach(async () => {
    store = await open();
  });

  const idsIn = async (threadId: string): Promise<string[]> =>
    (await store.messages(threadId)).map(({ message }) => message.id);

  describe('the call ledger', () => {
    test('[R3] a call is claimed once: a second claim that expects no claimant is refused', async () => {
      expect(await store.claim(claimOf('c', 'tab-1'), undefined)).toBe(true);
      expect(await store.claim(claimOf('c', 'tab-2'), undefined)).toBe(false);
      expect(await store.get('c')).toEqual(claimOf('c', 'tab-1'));
    });

    test('[R3] a dead claim is taken over only from the claimant it was seen with', async () => {
      await store.claim(claimOf('c', 'tab-1'), undefined);
      expect(await store.claim(claimOf('c', 'tab-3'), 'tab-2')).toBe(false);
      expect(await store.claim(claimOf('c', 'tab-2'), 'tab-1')).toBe(true);
      expect(await store.claim(claimOf('c', 'tab-3'), 'tab-1')).toBe(false);
      expect((await store.get('c'))?.claimant).toBe('tab-2');
    });

    test('[R3] a claim that expects a claimant is refused if there is none', async () => {
      expect(await store.claim(claimOf('c', 'tab-2'), 'tab-1')).toBe(false);
      expect(await store.get('c')).toBeUndefined();
    });

    test('[R1] only the claimant finishes a call', async () => {
      await store.claim(claimOf('c', 'tab-1'), undefined);
      expect(await store.finish(resultOf('c', 'theirs'), 'tab-2')).toBeUndefined();
      expect((await store.get('c'))?.result).toBeUndefined();
      expect(await store.finish(resultOf('c'), 'tab-1')).toEqual(resultOf('c'));
      expect(await store.get('c')).toEqual({ ...claimOf('c', 'tab-1'), result: resultOf('c') });
    });

    test('[R1] the first result stands: finishing again, by anyone, returns that one', async () => {
      await store.claim(claimOf('c', 'tab-1'), undefined);
      await store.finish(resultOf('c', 'first'), 'tab-1');
      expect(await store.finish(resultOf('c', 'second'), 'tab-1')).toEqual(resultOf('c', 'first'));
      expect(await store.finish(resultOf('c', 'third'), 'tab-2')).toEqual(resultOf('c', 'first'));
      expect((await store.get('c'))?.result).toEqual(resultOf('c', 'first'));
    });

    test('[R2] a call that has its result can never be claimed again', async () => {
      await store.claim(claimOf('c', 'tab-1'), undefined);
      await store.finish(resultOf('c'), 'tab-1');
      expect(await store.claim(claimOf('c', 'tab-1'), 'tab-1')).toBe(false);
      expect(await store.claim(claimOf('c', 'tab-2'), undefined)).toBe(false);
    });

    test('a result for a call that nobody claimed is not stored', async () => {
      expect(await store.finish(resultOf('c'), 'tab-1')).toBeUndefined();
      expect(await store.get('c')).toBeUndefined();
    });

    test('[R8] a result’s data keeps its structure, and ids are not confused with other keys', async () => {
      for (const id of ['__proto__', 'constructor']) {
        expect(await store.get(id)).toBeUndefined();
        await store.claim(claimOf(id, 'tab-1'), undefined);
        expect(await store.finish(resultOf(id), 'tab-1')).toEqual(resultOf(id));
        expect((await store.get(id))?.result).toEqual(resultOf(id));
      }
    });
  });

  describe('messages', () => {
    test('keep their parents and the order in which they were created, whatever their ids', async () => {
      const nodes = [
        { message: said('z'), parentId: null },
        { message: said('a'), parentId: 'z' },
        { message: said('m'), parentId: 'z' },
      ];
      await store.putMessages('t', nodes.slice(0, 2));
      await store.putMessages('t', nodes.slice(2));
      expect(await store.messages('t')).toEqual(nodes);
    });

    test('keep their place when they are stored again with new contents', async () => {
      for (const id of ['a', 'b', 'c']) await store.putMessages('t', [{ message: said(id), parentId: null }]);
      await store.putMessages('t', [{ message: said('a', 'changed'), parentId: null }]);
      await store.putMessages('t', [{ message: said('d'), parentId: 'c' }]);
      expect(await idsIn('t')).toEqual(['a', 'b', 'c', 'd']);
      expect((await store.messages('t'))[0]?.message).toEqual(said('a', 'changed'));
    });

    test('[R4] of a page that slept are not stored once another one has taken the thread over', async () => {
      await store.putThread({ ...threadOf('t'), actor: 'awake' });
      await store.putMessages('t', [{ message: said('a', 'all of it'), parentId: null }], 'awake');
      const seen: unknown[] = [];
      onTestFinished(store.subscribe((change) => seen.push(change)));
      await store.putMessages('t', [{ message: said('a', 'half'), parentId: null }], 'asleep');
      expect(seen).toEqual([]);
      expect((await store.messages('t'))[0]?.message).toEqual(said('a', 'all of it'));
    });

    test('are appended together with a change of their thread, or not at all', async () => {
      await store.putThread(threadOf('t'));
      await store.putMessages('t', [{ message: said('a'), parentId: null }]);
      const nodes = [
        { message: said('b'), parentId: 'a' },
        { message: said('c'), parentId: 'b' },
      ];
      const changed = await store.appendMessages('t', nodes, (thread) => ({ ...thread, headId: 'c' }));
      expect(changed).toMatchObject({ id: 't', headId: 'c' });
      expect(await store.thread('t')).toEqual(changed);
      expect(await idsIn('t')).toEqual(['a', 'b', 'c']);
      const impossible = called('d', 'call');
      const part = impossible.parts[0];
      if (part?.type === 'tool-call') part.input = { run: () => undefined };
      const failing = store.appendMessages('t', [{ message: impossible, parentId: 'c' }], (thread) => ({
        ...thread,
        headId: 'd',
      }));
      await expect(failing).rejects.toMatchObject({ name: 'StorageError', code: 'failed' });
      expect((await store.thread('t'))?.headId).toBe('c');
      expect(await idsIn('t')).toEqual(['a', 'b', 'c']);
    });

    test('are not appended to a thread that no longer exists', async () => {
      const nodes = [{ message: said('a'), parentId: null }];
      expect(await store.appendMessages('gone', nodes, (thread) => thread)).toBeUndefined();
      expect(await store.thread('gone')).toBeUndefined();
      expect(await idsIn('gone')).toEqual([]);
    });

    test('belong to one thread, even if one thread’s id is a prefix of another’s', async () => {
      await store.putMessages('t', [{ message: said('a'), parentId: null }]);
      await store.putMessages('t2', [{ message: said('b'), parentId: null }]);
      await store.putMessages('', [{ message: said('c'), parentId: null }]);
      expect(await idsIn('t')).toEqual(['a']);
      expect(await idsIn('t2')).toEqual(['b']);
      expect(await idsIn('nothing')).toEqual([]);
    });

    test('are stored atomically: if one cannot be stored, none is', async () => {
      await store.putMessages('t', [{ message: said('a', 'before'), parentId: null }]);
      const impossible = called('c', 'call');
      const part = impossible.parts[0];
      if (part?.type === 'tool-call') part.input = { run: () => undefined };
      await expect(
        store.putMessages('t', [
          { message: said('a', 'after'), parentId: null },
          { message: said('b'), parentId: 'a' },
          { message: impossible, parentId: 'b' },
        ]),
      ).rejects.toMatchObject({ name: 'StorageError', code: 'failed' });
      expect(await store.messages('t')).toEqual([{ message: said('a', 'before'), parentId: null }]);
    });
  });

  describe('threads', () => {
    test('are read from the end of a branch, without the others', async () => {
      const nodes = Array.from({ length: 10 }, (_, n) => ({
        message: said(`m${n}`),
        parentId: n === 0 ? null : `m${n - 1}`,
      }));
      await store.putMessages('t', [...nodes, { message: said('other'), parentId: 'm3' }]);
      const idsOf = async (headId: string, max: number) =>
        (await store.branchEnd('t', headId, max)).map(({ message }) => message.id);
      expect(await idsOf('m9', 3)).toEqual(['m7', 'm8', 'm9']);
      expect(await idsOf('other', 3)).toEqual(['m2', 'm3', 'other']);
      expect(await idsOf('m1', 5)).toEqual(['m0', 'm1']);
      expect(await idsOf('gone', 5)).toEqual([]);
      expect(await store.branchEnd('u', 'm9', 5)).toEqual([]);
    });

    test('are read in their order, however many there are', async () => {
      const ids = Array.from({ length: 450 }, (_, n) => `m${(n * 7) % 450}`);
      await store.putMessages(
        't',
        ids.map((id) => ({ message: said(id), parentId: null })),
      );
      expect((await store.messages('t')).map(({ message }) => message.id)).toEqual(ids);
    });

    test('are read as they were stored, individually and all together', async () => {
      const [one, two] = [
        threadOf('one', { chosen: { a: 'b' }, queued: undefined }),
        threadOf('two', { title: 'Two' }),
      ];
      await store.putThread(one);
      await store.putThread(two);
      expect(await store.thread('one')).toEqual(one);
      expect(await store.threads()).toEqual([one, two]);
      expect(await store.thread('__proto__')).toBeUndefined();
    });

    test('a change resolves with what is stored, or with undefined if the thread is gone', async () => {
      await store.putThread(threadOf('t'));
      const updated = await store.updateThread('t', (thread) => ({ ...thread, title: 'New' }));
      expect(updated).toEqual(threadOf('t', { title: 'New' }));
      expect(await store.updateThread('gone', (thread) => ({ ...thread, title: 'New' }))).toBeUndefined();
      expect(await store.thread('gone')).toBeUndefined();
    });

    test('several are changed at once, with one notice, and all or none', async () => {
      await store.putThread(threadOf('one'));
      await store.putThread(threadOf('two'));
      let notices = 0;
      store.subscribe(() => notices++);
      const pinned = (thread: Thread): Thread => ({ ...thread, pinnedAt: 5 });
      const changed = await store.updateThreads(['two', 'gone', 'one'], pinned);
      expect(changed.map(({ id }) => id)).toEqual(['two', 'one']);
      expect(await store.threads()).toEqual(['one', 'two'].map((id) => threadOf(id, { pinnedAt: 5 })));
      expect(notices).toBe(1);
      const refused = (thread: Thread): Thread => {
        if (thread.id === 'two') throw new Error('Not this one.');
        return { ...thread, title: 'Changed' };
      };
      await expect(store.updateThreads(['one', 'two'], refused)).rejects.toThrow('Not this one.');
      expect((await store.thread('one'))?.title).toBe('');
    });

    test('deleting a thread also deletes its messages and calls, but nothing of another thread', async () => {
      await store.putThread(threadOf('t'));
      await store.putThread(threadOf('other'));
      await store.putMessages('t', [
        { message: said('a'), parentId: null },
        { message: called('b', 'c1', 'c2'), parentId: 'a' },
      ]);
      await store.putMessages('other', [{ message: called('x', 'c3'), parentId: null }]);
      for (const id of ['c1', 'c2', 'c3']) await store.claim(claimOf(id, 'tab-1'), undefined);
      expect(await store.deleteThreads(['t'])).toEqual([threadOf('t')]);
      expect((await store.threads()).map(({ id }) => id)).toEqual(['other']);
      expect(await idsIn('t')).toEqual([]);
      expect(await idsIn('other')).toEqual(['x']);
      expect(await store.get('c1')).toBeUndefined();
      expect(await store.get('c2')).toBeUndefined();
      expect(await store.get('c3')).toEqual(claimOf('c3', 'tab-1'));
    });

    test('deleting a thread that does not exist does no harm', async () => {
      expect(await store.deleteThreads(['gone'])).toEqual([]);
      expect(await store.threads()).toEqual([]);
    });

    test('several are deleted at once, with one notice, except for those that may not go', async () => {
      for (const id of ['a', 'b', 'c']) {
        await store.putThread(threadOf(id, { deletedAt: id === 'b' ? 2 : 1 }));
        await store.putMessages(id, [{ message: said(`m-${id}`), parentId: null }]);
      }
      let notices = 0;
      store.subscribe(() => notices++);
      const removed = await store.deleteThreads(['a', 'gone', 'b', 'c'], ({ deletedAt }) => deletedAt === 1);
      expect(removed.map(({ id }) => id)).toEqual(['a', 'c']);
      expect(notices).toBe(1);
      expect((await store.threads()).map(({ id }) => id)).toEqual(['b']);
      expect(await idsIn('a')).toEqual([]);
      expect(await idsIn('b')).toEqual(['m-b']);
    });
  });

  describe('settings', () => {
    test('are stored under their keys, whatever their type', async () => {
      await store.putSetting('a', { nested: [1, null] });
      await store.putSetting('b', false);
      expect(await store.setting('a')).toEqual({ nested: [1, null] });
      expect(await store.setting('b')).toBe(false);
      expect(await store.setting('constructor')).toBeUndefined();
      await store.deleteSetting('a', (value) => value === null);
      expect(await store.setting('a')).toEqual({ nested: [1, null] });
      await store.deleteSetting('a', (value) => value !== null);
      expect(await store.setting('a')).toBeUndefined();
    });

    test('several are stored at once, with one notice, and all or none', async () => {
      let notices = 0;
      store.subscribe(() => notices++);
      await store.putSettings(
        new Map<string, unknown>([
          ['under:a', 1],
          ['under:b', { nested: true }],
        ]),
      );
      expect(notices).toBe(1);
      const impossible = new Map<string, unknown>([
        ['under:a', 2],
        ['under:c', () => undefined],
      ]);
      await expect(store.putSettings(impossible)).rejects.toMatchObject({ name: 'StorageError', code: 'failed' });
      expect([...(await store.settingsUnder('under:'))]).toEqual([
        ['a', 1],
        ['b', { nested: true }],
      ]);
    });

    test('changes that are made to one setting at once are all kept', async () => {
      const add = (item: string) =>
        store.updateSetting('list', (value) => [...(Array.isArray(value) ? value : ['first']), item]);
      await Promise.all(['a', 'b', 'c'].map(add));
      expect(await store.setting('list')).toEqual(['first', 'a', 'b', 'c']);
      const refused = store.updateSetting('list', () => {
        throw new Error('Not this one.');
      });
      await expect(refused).rejects.toThrow('Not this one.');
      expect(await store.setting('list')).toEqual(['first', 'a', 'b', 'c']);
    });
  });

  describe('when storage fails', () => {
    test('after closing, every read and write is `unavailable`', async () => {
      store.close();
      const unavailable = { name: 'StorageError', code: 'unavailable' };
      await expect(store.threads()).rejects.toMatchObject(unavailable);
      await expect(store.messages('t')).rejects.toMatchObject(unavailable);
      await expect(store.putThread(threadOf('t'))).rejects.toMatchObject(unavailable);
      await expect(store.updateThread('t', (thread) => thread)).rejects.toMatchObject(unavailable);
      await expect(store.claim(claimOf('c', 'tab-1'), undefined)).rejects.toMatchObject(unavailable);
    });
  });
}

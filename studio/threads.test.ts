// More than 400 lines: the list of threads, the open one, and messages that are sent share one store and one setup.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { textMessage } from '#lib/messages/text-message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { SplitThreadStore } from '#lib/threads/split-thread-store.ts';
import { isTemporary, temporaryId } from '#lib/threads/temporary.ts';
import { SoleThreadLock, soleMoveLock } from '#lib/threads/test/sole-locks.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { ThreadFiles } from '#lib/threads/thread-files.ts';
import { ConnectionError, type Transport } from '#lib/threads/transport.ts';
import { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import { createToolExecutor } from '#lib/tools/execution/executor.ts';
import { ToolHost } from '#lib/tools/execution/host.ts';
import { judgeCall } from '#lib/tools/permission/path-rules.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { LanguageServices } from './editing/language-services.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { importThread } from './import-thread.ts';
import { UNDO_DELETE_MS } from './thread-trash.ts';
import { Threads } from './threads.ts';
import { Workspaces } from './workspaces.ts';
import { workspacesOnlyOf } from './workspaces-only-of.ts';

const unreachable: Transport = {
  post: () => Promise.reject(new ConnectionError('This test has no server.')),
  attach: () => Promise.reject(new ConnectionError('This test has no server.')),
  cancel: async () => undefined,
  acknowledge: async () => undefined,
  threadState: async () => undefined,
  deleteThread: async () => undefined,
};

/** The store that outlives the page. */
let lasting: MemoryThreadStore;
let store: SplitThreadStore;
let threads: Threads;
/** The workspaces that were deleted. */
let removed: string[];

beforeEach(async () => {
  lasting = new MemoryThreadStore();
  store = new SplitThreadStore(lasting);
  await store.putThread(threadOf('other', { title: 'Other', titledBy: 'person' }));
  const fileSystem = new MemoryFileSystem();
  const { history } = fileSystem;
  const capabilities = testCapabilities(fileSystem);
  const files = new ThreadFiles({
    ...{ fileSystem, history, capabilities },
    moveLock: soleMoveLock,
    saveEdits: async () => undefined,
  });
  const workspaces = await Workspaces.open(store, {
    isVolatile: true,
    previews: { capabilityOf: () => testCapabilities(fileSystem).preview, close: async () => undefined },
    edits: new UnsavedEdits(),
    languageServices: new LanguageServices(),
  });
  removed = [];
  vi.spyOn(workspaces, 'remove').mockImplementation(async (id) => void removed.push(id));
  threads = new Threads(
    {
      ...{ store, transport: unreachable, workspaces },
      storeOf: (threadId) => store.of(threadId),
      createLock: (_, host) => new SoleThreadLock(host),
      loadTools: async () => ({ registry: new ToolRegistry([]), createToolExecutor, ToolHost, judgeCall }),
      catalogue: async () => ({ name: 'none' }),
      evaluatorOf: () => ({ evaluate: async () => ({ console: [] }) }),
      onDeleted: () => undefined,
      openFiles: async () => files,
      askMove: async () => 'move',
      onUnknownFiles: () => undefined,
      permissions: () => ({}),
      pathRules: () => [],
      policySetAt: () => undefined,
      isKnown: () => undefined,
      remember: async () => undefined,
      allowAlways: async () => undefined,
      defaults: async () => ({ model: 'm', systemPrompt: '' }),
    },
    { model: 'm', toolCalling: 'auto', toolsets: [], systemPrompt: null },
  );
  await threads.open(null);
});

/** Returns what the user said in each thread, by the threads' titles. */
async function said(): Promise<Record<string, string[]>> {
  const entries = (await store.threads()).map(async ({ id, title }) => {
    const nodes = await store.messages(id);
    const parts = nodes.flatMap(({ message }) => (message.role === 'user' ? message.parts : []));
    return [title, parts.map((part) => (part.type === 'text' ? part.text : ''))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('the end of a thread is there before the thread is', async () => {
  const messages = Array.from({ length: 40 }, (_, n) => ({ ...textMessage(`Message ${n}`), id: `m${n}` }));
  await store.addThread({
    thread: threadOf('long', { headId: 'm39' }),
    messages: messages.map((message, n) => ({ message, parentId: messages[n - 1]?.id ?? null })),
  });
  await vi.waitFor(() => expect(threads.state.getState().threads).toHaveLength(2));
  const seen: (readonly string[] | undefined)[] = [];
  threads.state.subscribe(({ opening, session }) => {
    if (session === undefined) seen.push(opening?.map(({ id }) => id));
  });
  await threads.select('long');
  expect(seen.at(-1)?.at(-1)).toBe('m39');
  expect(seen.at(-1)?.length).toBeLessThan(40);
  expect(threads.state.getState().opening).toBeUndefined();
  const opened = threads.state
    .getState()
    .session?.getSnapshot()
    .branch.map(({ id }) => id);
  // The turn that answers the last message follows them.
  expect(opened?.slice(0, 40)).toEqual(messages.map(({ id }) => id));
});

test('an edit that is sent while its thread is opening is not lost', async () => {
  await store.addThread({
    thread: threadOf('opening', { headId: 'q' }),
    messages: [{ message: { ...textMessage('Question'), id: 'q' }, parentId: null }],
  });
  await vi.waitFor(() => expect(threads.state.getState().threads).toHaveLength(2));
  const opening = threads.select('opening');
  expect(threads.state.getState().session).toBeUndefined();
  await threads.edit('q', textMessage('Edited'));
  await opening;
  const stored = (await store.messages('opening')).map(({ message }) => message.parts[0]);
  expect(stored).toContainEqual(expect.objectContaining({ text: 'Edited' }));
});

test('a thread that the user opens while a new one is being created stays open', async () => {
  const sending = threads.send(textMessage('Hello'));
  await threads.select('other');
  await sending;
  await vi.waitUntil(async () => (await said()).Hello?.length === 1);
  expect(threads.state.getState().selectedId).toBe('other');
  expect(threads.state.getState().session?.threadId).toBe('other');
  expect(await said()).toEqual({ Hello: ['Hello'], Other: [] });
});

test('a message to a thread that is opening goes to that thread', async () => {
  void threads.select('other');
  await threads.send(textMessage('Hello'));
  expect(await said()).toEqual({ Other: ['Hello'] });
});

test('a message goes to the thread in which it was sent, whatever is opened while its files are prepared', async () => {
  const prepared: string[] = [];
  const sending = threads.send(textMessage('Look at the files'), async (workspaceId, message) => {
    await threads.select('other');
    prepared.push(workspaceId);
    return { ...message, parts: [...message.parts, { type: 'text', text: 'with files' }] };
  });
  await sending;
  expect(await said()).toEqual({ 'Look at the files': ['Look at the files', 'with files'], Other: [] });
  const created = (await store.threads()).find(({ id }) => id !== 'other');
  expect(prepared).toEqual([created?.workspaceId]);
});

test('messages of a thread are stored in the order in which they were sent, even if one has files or fails', async () => {
  await threads.select('other');
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const slow = threads.send(textMessage('With files'), async (_, message) => {
    await read;
    return message;
  });
  const failing = threads.send(textMessage('Lost'), () => Promise.reject(new FileSystemError('ENOSPC', '/')));
  const plain = threads.send(textMessage('Plain'));
  expect([...threads.unstored].map(([id]) => id)).toEqual(['other', 'other', 'other']);
  resolve();
  await Promise.all([slow, failing, plain]);
  const { queued } = (await store.thread('other')) ?? {};
  const stored = [...((await said()).Other ?? []), ...(queued?.parts ?? []).map((part) => 'text' in part && part.text)];
  expect(stored).toEqual(['With files', 'Plain']);
});

test('a thread is never stored without its first message, nor a message without its turn', async () => {
  const seen: { headId: string | null; roles: string[] }[] = [];
  const looks: Promise<unknown>[] = [];
  const look = async () => {
    for (const { id, headId } of await store.threads()) {
      if (id === 'other') continue;
      const roles = (await store.messages(id)).map(({ message }) => message.role);
      seen.push({ headId, roles });
    }
  };
  store.subscribe(() => looks.push(look()));
  await threads.send(textMessage('Hello'));
  await threads.state.getState().session?.stop();
  await threads.send(textMessage('Are you there?'));
  await Promise.all(looks);
  expect(seen.length).toBeGreaterThan(2);
  for (const { headId, roles } of seen) {
    expect(headId).not.toBeNull();
    expect(roles.at(-1)).toBe('assistant');
  }
  const [thread] = (await store.threads()).filter(({ id }) => id !== 'other');
  const messages = await store.messages(thread?.id ?? '');
  expect(messages.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(thread?.headId).toBe(messages.at(-1)?.message.id);
});

test('a message is unstored until it is in the store, or was handed back', async () => {
  const message = textMessage('Hello');
  const sending = threads.send(message);
  const [unstored] = [...threads.unstored];
  expect(unstored?.[1]).toEqual({ isFirst: true, message });
  const stored = async () => (await store.messages(unstored?.[0] ?? '')).map(({ message: { id } }) => id);
  expect(await stored()).toEqual([]);
  await sending;
  expect(await stored()).toContain(message.id);
  expect([...threads.unstored]).toEqual([]);
  await threads.state.getState().session?.stop();
  vi.spyOn(lasting, 'appendMessages').mockRejectedValueOnce(new Error('The disk is full.'));
  await threads.send(textMessage('Again'));
  expect([...threads.unstored]).toEqual([]);
  expect(threads.state.getState().unsent).toBeDefined();
});

test('a message whose files cannot be prepared is given back with the reason', async () => {
  const message = textMessage('Look at the files');
  await threads.send(message, () => Promise.reject(new FileSystemError('ENOSPC', '/')));
  expect(threads.state.getState().unsent).toMatchObject({ message, problem: { code: 'files' } });
  expect(threads.state.getState().unsent?.problem?.detail).toContain('ENOSPC');
});

describe('several threads', () => {
  const listed = () => threads.state.getState().threads.map(({ id }) => id);
  const stored = async () => (await store.threads()).map(({ id }) => id);

  beforeEach(async () => {
    for (const [id, workspaceId] of [
      ['a', 'shared'],
      ['b', 'shared'],
      ['c', 'own'],
      ['d', 'half'],
      ['kept', 'half'],
    ] as const)
      await store.putThread(threadOf(id, { workspaceId }));
    await vi.waitFor(() => expect(listed()).toHaveLength(6));
  });

  afterEach(() => void vi.useRealTimers());

  test('are deleted at once, and one undo restores all of them', async () => {
    await threads.select('b');
    await threads.delete(['a', 'b', 'c'], { deletesWorkspace: true });
    expect(listed().sort()).toEqual(['d', 'kept', 'other']);
    expect(threads.state.getState().justDeleted.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(threads.state.getState().selectedId).toBeNull();
    await threads.undoDelete();
    expect(listed()).toHaveLength(6);
    expect((await store.threads()).every(({ deletedAt }) => deletedAt === undefined)).toBe(true);
    expect(threads.state.getState().selectedId).toBe('b');
    expect(threads.state.getState().justDeleted).toEqual([]);
    expect(removed).toEqual([]);
  });

  test('are deleted for good when the time is up, with the workspaces that only they use', async () => {
    vi.useFakeTimers();
    expect(workspacesOnlyOf(threads.state.getState().threads, new Set(['a', 'b', 'c', 'd']))).toEqual([
      'shared',
      'own',
    ]);
    expect(workspacesOnlyOf(threads.state.getState().threads, new Set(['a']))).toEqual([]);
    await threads.delete(['a', 'b', 'c', 'd'], { deletesWorkspace: true });
    await vi.advanceTimersByTimeAsync(UNDO_DELETE_MS - 1);
    expect(await stored()).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(2);
    expect((await stored()).sort()).toEqual(['kept', 'other']);
    expect(removed.sort()).toEqual(['own', 'shared']);
    expect(threads.state.getState().justDeleted).toEqual([]);
  });

  test('that an earlier page deleted do not delay the next start, even if they cannot be purged', async () => {
    await store.updateThreads(['a', 'b'], (thread) => ({ ...thread, deletedAt: 1, deletesWorkspace: true }));
    const { promise, reject } = Promise.withResolvers<Thread[]>();
    const purge = vi.spyOn(store, 'deleteThreads').mockReturnValueOnce(promise);
    await threads.open(null);
    expect(listed().sort()).toEqual(['c', 'd', 'kept', 'other']);
    await vi.waitFor(() => expect(purge).toHaveBeenCalledOnce());
    reject(new Error('The disk is broken.'));
    await threads.open(null);
    await vi.waitFor(async () => expect((await stored()).sort()).toEqual(['c', 'd', 'kept', 'other']));
  });

  test('stay deleted when others are deleted next, and only those can be restored', async () => {
    await threads.delete(['a'], { deletesWorkspace: true });
    await threads.delete(['c'], { deletesWorkspace: false });
    await threads.undoDelete();
    expect((await stored()).sort()).toEqual(['b', 'c', 'd', 'kept', 'other']);
    // Thread b still uses the workspace of a.
    expect(removed).toEqual([]);
  });
});

describe('a temporary thread', () => {
  const open = () => threads.state.getState();

  test('is not stored, nor is its workspace', async () => {
    await threads.continueIn(temporaryId());
    expect(isTemporary(open().draftId)).toBe(true);
    await threads.send(textMessage('Between us'));
    const { selectedId, session } = open();
    expect(selectedId !== null && isTemporary(selectedId)).toBe(true);
    expect(isTemporary(threads.workspaceId)).toBe(true);
    expect(await said()).toEqual({ 'Between us': ['Between us'], Other: [] });
    expect((await lasting.threads()).map(({ id }) => id)).toEqual(['other']);
    expect(await lasting.messages(selectedId ?? '')).toEqual([]);
    expect([...(await lasting.settingsUnder('workspace:')).keys()]).not.toContain(threads.workspaceId);
    await session?.close();
  });

  test('is followed by one that is stored', async () => {
    await threads.continueIn(temporaryId());
    await threads.send(textMessage('Between us'));
    await threads.continueIn(null);
    expect(isTemporary(open().draftId)).toBe(false);
    await threads.send(textMessage('For the record'));
    expect((await lasting.threads()).map(({ title }) => title).sort()).toEqual(['For the record', 'Other']);
  });

  test('stays temporary when its first message could not be sent, and is sent again', async () => {
    await threads.continueIn(temporaryId());
    const { draftId } = open();
    vi.spyOn(store, 'addThread').mockRejectedValueOnce(new Error('The code could not be loaded.'));
    await threads.send(textMessage('Between us'));
    expect(open().unsent?.problem).toBeDefined();
    expect(open().draftId).toBe(draftId);
    await threads.send(textMessage('Between us'));
    expect(open().selectedId).toBe(draftId);
    expect(await said()).toEqual({ 'Between us': ['Between us'], Other: [] });
    expect((await lasting.threads()).map(({ id }) => id)).toEqual(['other']);
    await open().session?.close();
  });

  test('has its own reviews, which the next one does not have', async () => {
    await threads.changeSettings({ reviews: true });
    vi.spyOn(store, 'addThread').mockRejectedValueOnce(new Error('The storage is full.'));
    await threads.send(textMessage('Between us'));
    await threads.send(textMessage('Between us'));
    expect(open().session?.getSnapshot().thread.settings.reviews).toBe(true);
    expect(open().draft.reviews).toBeUndefined();
    await open().session?.close();
  });

  test('keeps its parameters when its first message could not be sent', async () => {
    await threads.changeSettings({ parameters: { temperature: 0.2 } });
    vi.spyOn(store, 'addThread').mockRejectedValueOnce(new Error('The storage is full.'));
    await threads.send(textMessage('Between us'));
    await threads.send(textMessage('Between us'));
    expect(open().session?.getSnapshot().thread.settings.parameters).toEqual({ temperature: 0.2 });
    expect(open().draft.parameters).toBeUndefined();
    await open().session?.close();
  });

  test('stays temporary when its code could not be loaded', async () => {
    await threads.continueIn(temporaryId());
    vi.spyOn(store, 'of').mockRejectedValueOnce(new Error('The code could not be loaded.'));
    await threads.send(textMessage('Between us'));
    await threads.send(textMessage('Between us'));
    expect(await said()).toMatchObject({ 'Between us': ['Between us'] });
    expect((await lasting.threads()).map(({ id }) => id)).toEqual(['other']);
    await open().session?.close();
  });

  test('does not turn a message that is sent at the same time into a stored thread', async () => {
    await threads.continueIn(temporaryId());
    await Promise.all([threads.send(textMessage('One')), threads.send(textMessage('Two'))]);
    expect(await said()).toEqual({ One: ['One'], Two: ['Two'], Other: [] });
    expect((await lasting.threads()).map(({ id }) => id)).toEqual(['other']);
    await open().session?.close();
  });

  test('keeps its files if the user opens another thread while it is being created', async () => {
    await threads.continueIn(temporaryId());
    const sending = threads.send(textMessage('Between us'));
    await threads.select('other');
    await sending;
    expect(removed).toEqual([]);
    expect(await said()).toMatchObject({ 'Between us': ['Between us'] });
  });

  test('that was not begun is given up with its files', async () => {
    const workspaceId = temporaryId();
    await threads.continueIn(workspaceId);
    await threads.select('other');
    expect(removed).toEqual([workspaceId]);
    expect(isTemporary(open().draftId)).toBe(false);
  });

  test('gives its files only to temporary threads', async () => {
    await threads.continueIn(temporaryId());
    await threads.send(textMessage('Between us'));
    const { workspaceId } = threads;
    await threads.continueIn(workspaceId);
    expect(isTemporary(open().draftId)).toBe(true);
    await threads.continueIn(null);
    expect(removed).toEqual([]);
    await threads.select((await store.threads()).find((thread) => thread.workspaceId === workspaceId)?.id ?? null);
    await importThread(threads, [{ message: textMessage('Imported'), parentId: null }], null);
    expect((await lasting.threads()).map((thread) => isTemporary(thread.workspaceId))).toEqual([false, false]);
  });
});

test('an archived thread that is gone on with is in the list again, at its folder', async () => {
  await store.updateThread('other', (thread) => ({ ...thread, archivedAt: 1, folderId: 'f' }));
  await vi.waitFor(() => expect(threads.state.getState().threads[0]?.archivedAt).toBe(1));
  await threads.select('other');
  await threads.send(textMessage('Hello again'));
  expect(await store.thread('other')).toMatchObject({ folderId: 'f' });
  expect((await store.thread('other'))?.archivedAt).toBeUndefined();
});

import { beforeEach, expect, test, vi } from 'vitest';
import { textMessage } from '#lib/messages/text-message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { SoleThreadLock, soleMoveLock } from '#lib/threads/test/sole-locks.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import { ThreadFiles } from '#lib/threads/thread-files.ts';
import { ConnectionError, type Transport } from '#lib/threads/transport.ts';
import { createToolExecutor } from '#lib/tools/core/executor.ts';
import { ToolHost } from '#lib/tools/core/host.ts';
import { ToolRegistry } from '#lib/tools/core/registry.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { LanguageServices } from './editing/language-services.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { Threads } from './threads.ts';
import { Workspaces } from './workspaces.ts';

const unreachable: Transport = {
  post: () => Promise.reject(new ConnectionError('This test has no server.')),
  attach: () => Promise.reject(new ConnectionError('This test has no server.')),
  cancel: async () => undefined,
  acknowledge: async () => undefined,
  threadState: async () => undefined,
  deleteThread: async () => undefined,
};

let store: MemoryThreadStore;
let threads: Threads;

beforeEach(async () => {
  store = new MemoryThreadStore();
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
  threads = new Threads(
    {
      ...{ store, transport: unreachable, workspaces },
      createLock: (_, host) => new SoleThreadLock(host),
      loadTools: async () => ({ registry: new ToolRegistry([]), createToolExecutor, ToolHost }),
      catalogue: async () => ({ name: 'none' }),
      evaluatorOf: () => ({ evaluate: async () => ({ console: [] }) }),
      onDeleted: () => undefined,
      openFiles: async () => files,
      askMove: async () => 'move',
      onUnknownFiles: () => undefined,
      permissions: () => ({}),
      policySetAt: () => undefined,
      allowAlways: async () => undefined,
      defaults: async () => ({ model: 'm', systemPrompt: '' }),
    },
    { model: 'm', toolCalling: 'auto', toolsets: [], systemPrompt: null },
  );
  await threads.open(null);
});

/** What the user said in each thread, by the threads' titles. */
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
  expect(threads.state.getState().session?.getSnapshot().branch).toHaveLength(40);
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
  const sending = threads.send(textMessage('Look at the files'), async (workspaceId) => {
    await threads.select('other');
    prepared.push(workspaceId);
  });
  await sending;
  expect(await said()).toEqual({ 'Look at the files': ['Look at the files'], Other: [] });
  const created = (await store.threads()).find(({ id }) => id !== 'other');
  expect(prepared).toEqual([created?.workspaceId]);
});

test('a message whose files cannot be prepared is given back with the reason', async () => {
  const message = textMessage('Look at the files');
  await threads.send(message, () => Promise.reject(new FileSystemError('ENOSPC', '/')));
  expect(threads.state.getState().unsent).toMatchObject({ message, problem: { code: 'files' } });
  expect(threads.state.getState().unsent?.problem?.detail).toContain('ENOSPC');
});

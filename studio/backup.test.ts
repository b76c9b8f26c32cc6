import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { readApiFile } from '#lib/sources/http-api/api-file.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { SplitThreadStore } from '#lib/threads/split-thread-store.ts';
import { isTemporary, temporaryId } from '#lib/threads/temporary.ts';
import { said, threadOf } from '#lib/threads/test/store-contract.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { testCapabilities } from '#lib/tools/test/run-tool.ts';
import { ZIP_ENTRIES_MAX } from '#lib/vfs/archive/limits.ts';
import { type ArchiveEntries, type ArchiveLimits, readStudioZip, writeZip } from '#lib/vfs/archive/zip.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fileNames } from '#lib/vfs/test/file-names.ts';
import { type BackedUp, createBackup, planRestore, readBackup, restoreBackup } from './backup.ts';
import { Connections } from './connections/connections.ts';
import { LanguageServices } from './editing/language-services.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { exportZip } from './import-files.ts';
import { ModelRecords } from './model-records.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import { openSettings } from './settings.ts';
import { ThreadFolders } from './thread-folders.ts';
import type { ThreadsState } from './threads-state.ts';
import { Workspaces } from './workspaces.ts';

const runner = {
  zip: async (entries: ArchiveEntries) => writeZip(entries),
  unzip: async (data: Uint8Array, limits: ArchiveLimits) => readStudioZip(data, limits),
};

/** A studio in memory, as far as backups know it, with these threads and a message in each. */
async function openBackedUp(threads: readonly Thread[] = []): Promise<BackedUp> {
  const store = new SplitThreadStore(new MemoryThreadStore());
  for (const thread of threads)
    await store.addThread({ thread, messages: [{ message: said(`said-${thread.id}`), parentId: null }] });
  const workspaces = await Workspaces.open(store, {
    isVolatile: true,
    previews: { capabilityOf: () => testCapabilities(new MemoryFileSystem()).preview, close: async () => undefined },
    edits: new UnsavedEdits(),
    languageServices: new LanguageServices(),
  });
  const opened = new Map<string, OpenedWorkspace>();
  vi.spyOn(workspaces, 'open').mockImplementation(async (id) => {
    const workspace =
      opened.get(id) ?? ({ id, fileSystem: new MemoryFileSystem(), runner } as unknown as OpenedWorkspace);
    opened.set(id, workspace);
    return workspace;
  });
  const state = createStore<ThreadsState>(() => ({
    threads,
    selectedId: null,
    session: undefined,
    opening: undefined,
    failed: undefined,
    draftId: 'draft',
    draft: threadOf('draft').settings,
    draftGrants: [],
    draftWorkspaceId: null,
    justDeleted: [],
    unsent: undefined,
  }));
  return {
    store,
    workspaces,
    threads: { state, workspaceId: threads[0]?.workspaceId ?? 'w' },
    threadFolders: await ThreadFolders.open(store),
    settings: await openSettings(store),
    connections: await Connections.open(store, () => Promise.reject(new Error('This test has no vault.'))),
    modelRecords: await ModelRecords.open(store),
  };
}

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: { request: (_: string, act: () => Promise<unknown>) => act() } });
});

/** Saves a backup of one studio, and restores it in another. */
async function carry(from: BackedUp, to: BackedUp): Promise<void> {
  await restoreBackup(to, await readBackup(to, await createBackup(from)));
}

test('a backup carries pins, folders and the archive; empty folders, too', async () => {
  const from = await openBackedUp();
  const folderId = await from.threadFolders.create('Work');
  await from.threadFolders.create('Empty');
  const threads = [
    threadOf('pinned', { pinnedAt: 5, updatedAt: 3 }),
    threadOf('filed', { folderId }),
    threadOf('archived', { archivedAt: 7, folderId }),
    threadOf('plain'),
  ];
  for (const thread of threads)
    await from.store.addThread({ thread, messages: [{ message: said(`said-${thread.id}`), parentId: null }] });
  const to = await openBackedUp();
  await carry(from, to);
  expect(to.threadFolders.state.getState().folders.map(({ name }) => name)).toEqual(['Empty', 'Work']);
  const restored = Object.fromEntries((await to.store.threads()).map((thread) => [thread.id, thread]));
  expect(restored.pinned).toMatchObject({ pinnedAt: 5, updatedAt: 3 });
  expect(restored.filed).toMatchObject({ folderId });
  expect(restored.archived).toMatchObject({ archivedAt: 7, folderId });
  expect(Object.keys(restored.plain ?? {})).not.toContain('pinnedAt');
});

test('a backup of an earlier version, which knows no folders, is read as before', async () => {
  const from = await openBackedUp([threadOf('old')]);
  const entries = new Map(readStudioZip(new Uint8Array(await (await createBackup(from)).arrayBuffer()), LIMITS));
  const { threadFolders, ...manifest } = JSON.parse(new TextDecoder().decode(entries.get('studio.json')));
  expect(threadFolders).toEqual([]);
  entries.set('studio.json', new TextEncoder().encode(JSON.stringify(manifest)));
  const to = await openBackedUp();
  await restoreBackup(to, await readBackup(to, new Blob([writeZip(entries) as Uint8Array<ArrayBuffer>])));
  expect((await to.store.threads()).map(({ id }) => id)).toEqual(['old']);
});

const LIMITS = { maxBytes: 1_000_000, maxEntries: 100 };

test('a backup with times that no date has is restored with times that lists can show', async () => {
  const from = await openBackedUp([threadOf('t')]);
  const entries = new Map(readStudioZip(new Uint8Array(await (await createBackup(from)).arrayBuffer()), LIMITS));
  const text = new TextDecoder().decode(entries.get('studio.json'));
  const forged = text.replaceAll(/"(createdAt|updatedAt)":\d+/g, '"$1":-1e300');
  expect(forged).not.toBe(text);
  entries.set('studio.json', new TextEncoder().encode(forged));
  const to = await openBackedUp();
  await restoreBackup(to, await readBackup(to, new Blob([writeZip(entries) as Uint8Array<ArrayBuffer>])));
  expect(await to.store.threads()).toMatchObject([{ createdAt: 0, updatedAt: 0 }]);
  const [message] = await to.store.messages('t');
  expect(message?.message.createdAt).toBe(0);
});

test('a temporary thread and its files are in no backup', async () => {
  const from = await openBackedUp([
    threadOf(temporaryId(), { title: 'Between us', workspaceId: temporaryId() }),
    threadOf('kept'),
  ]);
  expect(isTemporary(from.threads.workspaceId)).toBe(true);
  const { fileSystem } = await from.workspaces.open(from.threads.workspaceId);
  await fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile('/secret.txt', new Uint8Array([1])));
  const { manifest, fileCount } = await readBackup(from, await createBackup(from));
  expect(manifest.threads.map(({ thread }) => thread.id)).toEqual(['kept']);
  expect(fileCount).toBe(0);
});

test('a thread of a backup whose id says that it is temporary is stored all the same', async () => {
  const from = await openBackedUp([threadOf('forged', { workspaceId: 'w' })]);
  const to = await openBackedUp();
  const backup = await readBackup(to, await createBackup(from));
  const [whole] = backup.manifest.threads;
  if (whole !== undefined) Object.assign(whole.thread, { id: temporaryId(), workspaceId: temporaryId() });
  await restoreBackup(to, backup);
  const [restored] = await to.store.threads();
  expect(restored && [isTemporary(restored.id), isTemporary(restored.workspaceId)]).toEqual([false, false]);
});

test('a backup lets no tool reach a host, and says how many permissions were left out', async () => {
  const from = await openBackedUp();
  await from.settings.change({
    theme: 'dark',
    toolsets: ['files', 'web'],
    allowedHosts: [{ toolset: 'web', host: 'evil.example', at: 9e15 }],
    permissions: { web: { execute: 'allow' } },
  });
  const to = await openBackedUp();
  const own = [{ toolset: 'web', host: 'example.org', at: 1 }];
  await to.settings.change({ allowedHosts: own });
  const backup = await readBackup(to, await createBackup(from));
  expect((await planRestore(to, backup)).leftOut.permissions).toBe(2);
  await restoreBackup(to, backup);
  expect(to.settings.getState()).toMatchObject({ theme: 'dark', allowedHosts: own, permissions: {} });
});

test('tool servers and HTTP APIs are backed up without secrets, and restored turned off', async () => {
  const from = await openBackedUp();
  const source =
    'name: tracker\nbaseUrl: https://tracker.example\ntools:\n  - name: list\n    description: Lists.\n    method: GET\n    path: /list\n';
  const server = { name: 'weather', url: 'https://weather.example/mcp', headers: ['authorization'] };
  await from.store.putSetting('mcp-servers', [{ ...server, isOn: true, login: 'https://issuer.example' }]);
  await from.store.putSetting('rest-apis', [{ isOn: true, source, api: await readApiFile(source, 'test') }]);
  const backup = await createBackup(from);
  const to = await openBackedUp();
  const read = await readBackup(to, backup);
  expect(JSON.stringify(read.manifest)).not.toContain('issuer.example');
  expect(await restoreBackup(to, read)).toMatchObject({ sources: 2 });
  expect(await to.store.setting('mcp-servers')).toEqual([{ ...server, isOn: false }]);
  expect(await to.store.setting('rest-apis')).toMatchObject([{ isOn: false, source, api: { name: 'tracker' } }]);

  // A part that cannot be read takes no other with it.
  const partly = { ...read.manifest, sources: { servers: [{ name: 7 }, server], apis: 'none', later: [1] } };
  const third = await openBackedUp();
  expect(await restoreBackup(third, { ...read, manifest: partly })).toMatchObject({ sources: 1 });
  expect(await third.store.setting('mcp-servers')).toEqual([{ ...server, isOn: false }]);

  // Existing sources stay as they are, and the description of an API counts, not what was stored with it.
  await to.store.putSetting('mcp-servers', [{ ...server, url: 'https://mine.example/mcp', isOn: true }]);
  expect(await restoreBackup(to, read)).toMatchObject({ sources: 0 });
  expect(await to.store.setting('mcp-servers')).toMatchObject([{ url: 'https://mine.example/mcp', isOn: true }]);
});

// Writing 65,535 files takes seconds.
test('a backup that could not be restored is not made, and the reason says what to do', {
  timeout: 60_000,
}, async () => {
  const studio = await openBackedUp([threadOf('t')]);
  const { fileSystem } = await studio.workspaces.open('w');
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    for (let n = 0; n < ZIP_ENTRIES_MAX; n++) tx.writeFile(`/${n}`, new Uint8Array());
  });
  await expect(createBackup(studio)).rejects.toThrow(
    /^there are 65,536 files and folders, and a backup can have 65,535\. Download large workspaces as zip files/,
  );
  const opened = await studio.workspaces.open('w');
  await expect(exportZip({ ...opened, id: 'w' }, '/')).resolves.toMatchObject({
    zip: expect.any(Blob),
    unportable: [],
  });
  await fileSystem.transaction({ type: 'person' }, async (tx) => tx.mkdir('/one-more'));
  await expect(exportZip({ ...opened, id: 'w' }, '/')).rejects.toMatchObject({ code: 'EFBIG' });
});

test('a backup carries files of any name', async () => {
  const [from, to] = [await openBackedUp([threadOf('one', { workspaceId: 'w' })]), await openBackedUp()];
  const { fileSystem } = await from.workspaces.open('w');
  const taken: string[] = [];
  for (const name of fileNames(3_000))
    await fileSystem
      .transaction({ type: 'person' }, async (tx) => tx.writeFile(`/d/${name}`, new TextEncoder().encode(name)))
      .then(
        () => taken.push(name),
        () => undefined,
      );
  await carry(from, to);
  const restored = (await to.workspaces.open('w')).fileSystem;
  const listed = async (path: string): Promise<string[]> => {
    const entries = await restored.readdir(path);
    const below = entries.map(async ({ name, type }) =>
      type === 'file' ? [`${path}/${name}`] : listed(`${path}/${name}`),
    );
    return (await Promise.all(below)).flat();
  };
  const original = async (name: string) => new TextDecoder().decode(await fileSystem.readFile(`/d/${name}`));
  for (const name of taken)
    expect(new TextDecoder().decode(await restored.readFile(`/d/${name}`)), JSON.stringify(name)).toBe(
      await original(name),
    );
  expect((await listed('/d')).length).toBe(new Set(taken.map((name) => name.replace(/^(\.?\/)+/, ''))).size);
});

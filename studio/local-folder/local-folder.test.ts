import { afterEach, describe, expect, test, vi } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { type FolderMemory, LocalFolder, type LocalFolderState, parseFolder, storedMemory } from './local-folder.ts';
import { FakeDisk } from './test/fake-disk.ts';

const open: LocalFolder[] = [];
let workspaces = 0;

afterEach(async () => {
  for (const folder of open.splice(0)) await folder.close();
});

interface Joined {
  disk: FakeDisk;
  fileSystem: MemoryFileSystem;
  folder: LocalFolder;
  /** The memory that was last stored. */
  memory: FolderMemory;
}

async function join(
  disk: FakeDisk,
  files: Record<string, string> = {},
  given: FolderMemory = {},
  fileSystem = new MemoryFileSystem(),
): Promise<Joined> {
  for (const [path, text] of Object.entries(files)) await write(fileSystem, path, text);
  const joined: Partial<Joined> = { disk, fileSystem, memory: given };
  const keep = async (next: FolderMemory) => {
    joined.memory = structuredClone(next);
  };
  const workspaceId = `workspace-${workspaces++}`;
  const folder = new LocalFolder({ workspaceId, handle: disk.handle, fileSystem, memory: given, keep });
  open.push(folder);
  joined.folder = folder;
  await folder.start({ ask: true });
  return joined as Joined;
}

const write = (fileSystem: MemoryFileSystem, path: string, text: string) =>
  fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(path, new TextEncoder().encode(text)));

const remove = (fileSystem: MemoryFileSystem, path: string) =>
  fileSystem.transaction({ type: 'person' }, async (tx) => tx.rm(path, { recursive: true }));

async function filesOf(fileSystem: MemoryFileSystem, path = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, type } of await fileSystem.readdir(path || '/')) {
    const child = `${path}/${name}`;
    if (type === 'directory') Object.assign(found, await filesOf(fileSystem, child));
    else found[child] = new TextDecoder().decode(await fileSystem.readFile(child));
  }
  return found;
}

/** Scans both sides immediately instead of in two seconds. */
async function look({ folder }: Joined): Promise<LocalFolderState> {
  await folder.start({ ask: false });
  return folder.state.getState();
}

test('one unreadable file does not block the others, and is shown', async () => {
  const disk = new FakeDisk();
  disk.write('/bad.txt', 'secret');
  disk.write('/src/good.txt', 'good');
  disk.unreadable.add('/bad.txt');
  const joined = await join(disk, { '/mine.txt': 'mine' });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/mine.txt': 'mine', '/src/good.txt': 'good' });
  expect(disk.files()).toMatchObject({ '/mine.txt': 'mine' });
  expect(joined.folder.state.getState()).toMatchObject({
    status: { type: 'incomplete' },
    skipped: [{ path: '/bad.txt', reason: { type: 'unreadable' } }],
  });
  disk.unreadable.clear();
  expect(await look(joined)).toMatchObject({ status: { type: 'synced' }, skipped: [] });
  expect(await filesOf(joined.fileSystem)).toMatchObject({ '/bad.txt': 'secret' });
});

test('a file that can no longer be read does not count as deleted', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  disk.unreadable.add('/a.txt');
  disk.write('/a.txt', 'two');
  expect(await look(joined)).toMatchObject({ status: { type: 'incomplete' } });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'one' });
});

test('a folder replaced by a file of the same name is replaced on the other side as well', async () => {
  const disk = new FakeDisk();
  disk.write('/a/one.txt', 'one');
  disk.write('/b/two.txt', 'two');
  const joined = await join(disk);
  disk.remove('/a');
  disk.write('/a', 'now a file');
  expect(await look(joined)).toMatchObject({ status: { type: 'synced' } });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a': 'now a file', '/b/two.txt': 'two' });
  await remove(joined.fileSystem, '/b');
  await write(joined.fileSystem, '/b', 'a file, too');
  expect(await look(joined)).toMatchObject({ status: { type: 'synced' } });
  expect(disk.files()).toEqual({ '/a': 'now a file', '/b': 'a file, too' });
});

test('a file and a folder with the same name, one on each side, are skipped and shown', async () => {
  const disk = new FakeDisk();
  const joined = await join(disk);
  disk.write('/a', 'a file');
  await write(joined.fileSystem, '/a/one.txt', 'below');
  expect(await look(joined)).toMatchObject({
    status: { type: 'incomplete' },
    skipped: [
      { path: '/a', reason: { type: 'kind' } },
      { path: '/a/one.txt', reason: { type: 'kind' } },
    ],
  });
  expect(disk.files()).toEqual({ '/a': 'a file' });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a/one.txt': 'below' });
});

test('names that the disk treats as the same are skipped and shown, and neither file is lost', async () => {
  const disk = new FakeDisk({ ignoresCase: true });
  const joined = await join(disk, { '/A': 'upper', '/a': 'lower', '/Src/x': 'x', '/src/y': 'y' });
  const both = await filesOf(joined.fileSystem);
  expect(joined.folder.state.getState()).toMatchObject({
    status: { type: 'incomplete' },
    skipped: [
      { path: '/a', reason: { type: 'name', existing: 'A' } },
      { path: '/src/y', reason: { type: 'name', existing: 'Src' } },
    ],
  });
  expect(await look(joined)).toMatchObject({ status: { type: 'incomplete' } });
  expect(disk.files()).toEqual({ '/A': 'upper', '/Src/x': 'x' });
  expect(await filesOf(joined.fileSystem)).toEqual(both);
  // A rename that changes only the case goes through.
  await remove(joined.fileSystem, '/A');
  expect(await look(joined)).toMatchObject({ skipped: [{ path: '/src/y' }] });
  expect(disk.files()).toEqual({ '/a': 'lower', '/Src/x': 'x' });
});

test('what another program saves while the studio writes is kept', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  disk.beforeClose = (path) => disk.write(path, 'theirs');
  await write(joined.fileSystem, '/a.txt', 'mine');
  await look(joined);
  disk.beforeClose = undefined;
  expect(disk.files()).toEqual({ '/a.txt': 'theirs' });
  expect(await look(joined)).toMatchObject({ conflicts: ['/a.txt'] });
  await joined.folder.resolve('/a.txt', 'folder');
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'theirs' });
});

test('what another program saves right after the studio wrote does not count as agreed', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  disk.afterClose = (path) => disk.write(path, 'theirs', disk.lastModified(path));
  await write(joined.fileSystem, '/a.txt', 'mine');
  expect(await look(joined)).toMatchObject({ status: { type: 'syncing' } });
  disk.afterClose = undefined;
  expect(await look(joined)).toMatchObject({ status: { type: 'synced' }, conflicts: [] });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'theirs' });
});

test('a change that keeps size and timestamp is found', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  disk.write('/a.txt', 'two', disk.lastModified('/a.txt'));
  await look(joined);
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'two' });
});

test.each(['written', 'deleted'])(
  'a change that keeps size and timestamp is not lost if the workspace has %s the file',
  async (what) => {
    const disk = new FakeDisk();
    disk.write('/a.txt', 'one');
    const joined = await join(disk);
    disk.write('/a.txt', 'two', disk.lastModified('/a.txt'));
    if (what === 'written') await write(joined.fileSystem, '/a.txt', 'mine');
    else await remove(joined.fileSystem, '/a.txt');
    await look(joined);
    const state = await look(joined);
    expect(disk.files()).toEqual({ '/a.txt': 'two' });
    if (what === 'written') expect(state.conflicts).toEqual(['/a.txt']);
    else expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'two' });
  },
);

test('a file that another program only touched does not count as changed', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  disk.write('/a.txt', 'one');
  await write(joined.fileSystem, '/a.txt', 'mine');
  expect(await look(joined)).toMatchObject({ status: { type: 'synced' }, conflicts: [] });
  expect(disk.files()).toEqual({ '/a.txt': 'mine' });
});

test('a memory from an earlier version, without hashes, still works', async () => {
  const disk = new FakeDisk();
  for (const name of ['same', 'there', 'here', 'kept', 'both']) disk.write(`/${name}.txt`, 'one');
  const first = await join(disk);
  await first.folder.close();
  const agreed = new Map(
    [...(first.memory.agreed ?? [])].map(([path, { lastModified, size, version }]) => [
      path,
      { lastModified, size, version },
    ]),
  );
  disk.write('/there.txt', 'two');
  disk.write('/kept.txt', 'two', disk.lastModified('/kept.txt'));
  disk.write('/both.txt', 'two');
  await write(first.fileSystem, '/here.txt', 'mine');
  await write(first.fileSystem, '/both.txt', 'mine');
  const commits = (await first.fileSystem.stat('/same.txt')).version;
  const joined = await join(disk, {}, { agreed }, first.fileSystem);
  expect(joined.folder.state.getState()).toMatchObject({ conflicts: ['/both.txt'] });
  expect(disk.files()).toMatchObject({ '/here.txt': 'mine', '/both.txt': 'two' });
  expect(await filesOf(joined.fileSystem)).toMatchObject({
    '/same.txt': 'one',
    '/there.txt': 'two',
    '/kept.txt': 'two',
    '/both.txt': 'mine',
  });
  expect((await first.fileSystem.stat('/same.txt')).version).toBe(commits);
});

test('an empty file left behind by an interrupted write is filled', async () => {
  const disk = new FakeDisk();
  const joined = await join(disk);
  await write(joined.fileSystem, '/a.txt', 'mine');
  disk.write('/a.txt', '');
  expect(await look(joined)).toMatchObject({ conflicts: [] });
  expect(disk.files()).toEqual({ '/a.txt': 'mine' });
});

test('a missing folder fails as a whole, and nothing is deleted', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  vi.spyOn(disk.handle, 'entries').mockImplementation(() => {
    throw new DOMException('gone', 'NotFoundError');
  });
  expect(await look(joined)).toMatchObject({ status: { type: 'failed' } });
  expect(await filesOf(joined.fileSystem)).toEqual({ '/a.txt': 'one' });
});

test('a file that disappears at every scan eventually counts as skipped', async () => {
  const disk = new FakeDisk();
  disk.write('/a.txt', 'one');
  const joined = await join(disk);
  const entries = disk.handle.entries.bind(disk.handle);
  const gone = {
    kind: 'file',
    name: 'link',
    getFile: async () => Promise.reject(new DOMException('', 'NotFoundError')),
  };
  vi.spyOn(disk.handle, 'entries').mockImplementation(async function* () {
    yield* entries();
    yield ['link', gone as unknown as FileSystemFileHandle];
  } as typeof disk.handle.entries);
  expect(await look(joined)).toMatchObject({ status: { type: 'syncing' } });
  await look(joined);
  expect(await look(joined)).toMatchObject({
    status: { type: 'incomplete' },
    skipped: [{ path: '/link', reason: { type: 'changing' } }],
  });
});

describe('what git runs, and what the command line trusts', () => {
  const PROTECTED = {
    '/docs/.git': 'gitdir: ../assets',
    '/docs/.GIT/config': '[core]',
    '/assets/HEAD': 'ref: refs/heads/main',
    '/assets/config': '[core]\n\tfsmonitor = "echo run"',
    '/assets/objects/a': '',
    '/assets/refs/heads/main': '',
    '/.roundtrip/config.yaml': 'permissions: { execute: allow }',
    '/packages/app/.roundtrip/config.yaml': 'permissions: { execute: allow }',
    '/packages/app/.Roundtrip/sessions/x.jsonl': '{}',
  };
  const OPEN = { '/.roundtrip/tools/x.js': 'x', '/.roundtrip/prompts/x.md': 'x', '/docs/a.md': 'a' };

  test('is not copied into the folder, and is named', async () => {
    const disk = new FakeDisk();
    const { folder } = await join(disk, { ...PROTECTED, ...OPEN });
    expect(disk.files()).toEqual(OPEN);
    const { skipped } = folder.state.getState();
    expect(skipped.map(({ path }) => path)).toEqual(Object.keys(PROTECTED).sort());
    expect(new Set(skipped.map(({ reason }) => reason.type))).toEqual(new Set(['protected']));
  });

  test('is not copied from the folder, either', async () => {
    const disk = new FakeDisk();
    for (const [path, text] of Object.entries({ ...PROTECTED, ...OPEN })) disk.write(path, text);
    const { fileSystem, folder } = await join(disk);
    expect(await filesOf(fileSystem)).toEqual(OPEN);
    expect(disk.files()).toEqual({ ...PROTECTED, ...OPEN });
    expect(folder.state.getState().skipped.map(({ path }) => path)).toEqual(['/assets', '/docs/.GIT', '/docs/.git']);
  });

  test('is not made of parts of both sides', async () => {
    const disk = new FakeDisk();
    disk.write('/assets/HEAD', 'ref: refs/heads/main');
    await join(disk, { '/assets/objects/a': 'a', '/assets/refs/b': 'b', '/assets/config': '[core]' });
    expect(disk.files()).toEqual({ '/assets/HEAD': 'ref: refs/heads/main' });
  });

  test('stays as it is on both sides if it was copied before', async () => {
    const disk = new FakeDisk();
    disk.write('/a/.roundtrip/config.yaml', 'one');
    const memory = { agreed: new Map([['/a/.roundtrip/config.yaml', { lastModified: 1, size: 3, version: 1 }]]) };
    const { fileSystem } = await join(disk, { '/a/.roundtrip/config.yaml': 'two' }, memory);
    expect(disk.files()).toEqual({ '/a/.roundtrip/config.yaml': 'one' });
    expect(await filesOf(fileSystem)).toEqual({ '/a/.roundtrip/config.yaml': 'two' });
  });

  test('a folder that is a repository itself is not touched', async () => {
    const disk = new FakeDisk();
    for (const path of ['/HEAD', '/objects/a', '/refs/b', '/config']) disk.write(path, path);
    const { fileSystem, folder } = await join(disk, { '/hooks/post-commit': 'echo run' });
    expect(Object.keys(disk.files()).sort()).toEqual(['/HEAD', '/config', '/objects/a', '/refs/b']);
    expect(await filesOf(fileSystem)).toEqual({ '/hooks/post-commit': 'echo run' });
    expect(folder.state.getState().skipped).toEqual([{ path: '/', reason: { type: 'protected' } }]);
  });
});

describe('with two tabs', () => {
  /** Two tabs with a folder, whose memory is stored once. The first one syncs. */
  async function inTwoTabs(disk: FakeDisk) {
    const handle = Object.assign(disk.handle, { isSameEntry: async (other: unknown) => other === disk.handle });
    let value: unknown = { handle };
    const store = {
      setting: async () => value,
      updateSetting: async (_: string, update: (before: unknown) => unknown) => {
        value = update(value);
      },
    };
    const fileSystem = new MemoryFileSystem();
    const workspaceId = `workspace-${workspaces++}`;
    const left = vi.fn();
    const openTab = () => {
      const stored = storedMemory(store, 'folder', handle);
      const folder = new LocalFolder({ workspaceId, handle, fileSystem, memory: {}, onLeft: left, ...stored });
      open.push(folder);
      return folder;
    };
    const [first, second] = [openTab(), openTab()];
    await first.start({ ask: true });
    void second.start({ ask: true });
    await vi.waitFor(() => expect(second.state.getState().status.type).toBe('elsewhere'));
    const leave = async () => {
      value = undefined;
      await first.close();
    };
    return { first, second, fileSystem, left, leave, memory: () => parseFolder(value)?.memory };
  }

  test('a folder that one of them has left is not synced by the other', async () => {
    const disk = new FakeDisk();
    disk.write('/mine.txt', 'mine');
    const { leave, left, second, fileSystem, memory } = await inTwoTabs(disk);
    await leave();
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
    await remove(fileSystem, '/mine.txt');
    await second.close();
    expect(disk.files()).toEqual({ '/mine.txt': 'mine' });
    expect(memory()).toBeUndefined();
  });

  test('a pause keeps what both sides have agreed on, whichever tab pauses, and the other goes on from there', async () => {
    const disk = new FakeDisk();
    disk.write('/a.txt', 'on disk');
    const { first, second, fileSystem, memory } = await inTwoTabs(disk);
    expect(memory()?.agreed?.size).toBe(1);
    for (const tab of [first, second]) {
      tab.pause('person');
      await vi.waitFor(() => expect(memory()).toMatchObject({ paused: 'person' }));
      expect(memory()?.agreed?.size).toBe(1);
    }
    await write(fileSystem, '/a.txt', 'written while paused');
    await first.close();
    await vi.waitFor(() => expect(second.state.getState().status.type).toBe('paused'));
    await second.resume();
    await vi.waitFor(() => expect(disk.files()).toEqual({ '/a.txt': 'written while paused' }));
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryId } from '#lib/threads/temporary.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { UnsavedEdits } from './unsaved-edits.ts';

let fileSystem: MemoryFileSystem;
let stored: Map<string, string>;
let edits: UnsavedEdits;

beforeEach(async () => {
  stored = new Map();
  edits = new UnsavedEdits();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  fileSystem = new MemoryFileSystem();
  await write('/a.txt', 'one');
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const write = (path: string, text: string) =>
  fileSystem.transaction({ type: 'person' }, async (tx) => tx.writeFile(path, new TextEncoder().encode(text)));
const read = async (path: string) => new TextDecoder().decode(await fileSystem.readFile(path));
const version = async () => (await fileSystem.stat('/a.txt')).version;

test('an edit is written to the file it was made in, once', async () => {
  edits.keep([{ workspaceId: 'w', path: '/a.txt', version: await version(), content: 'one and two' }]);
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('one and two');
  await write('/a.txt', 'three');
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('three');
});

test('[R19] an edit of a file that has since changed is saved beside it', async () => {
  const before = await version();
  await write('/a.txt', 'theirs');
  edits.keep([{ workspaceId: 'w', path: '/a.txt', version: before, content: 'mine' }]);
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('theirs');
  expect(await read('/a.txt.unsaved')).toBe('mine');
  edits.keep([{ workspaceId: 'w', path: '/a.txt', version: before, content: 'mine again' }]);
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt.unsaved')).toBe('mine');
  expect(await read('/a.txt.unsaved-2')).toBe('mine again');
  expect(edits.beside.getState().edits).toEqual([
    { workspaceId: 'w', path: '/a.txt', beside: '/a.txt.unsaved' },
    { workspaceId: 'w', path: '/a.txt', beside: '/a.txt.unsaved-2' },
  ]);
});

test('an edit that was already saved changes nothing', async () => {
  const before = await version();
  await write('/a.txt', 'two');
  edits.keep([{ workspaceId: 'w', path: '/a.txt', version: before, content: 'two' }]);
  await edits.recover('w', fileSystem);
  expect((await fileSystem.readdir('/')).map(({ name }) => name)).toEqual(['a.txt']);
});

test('an edit that cannot be written now is kept for next time', async () => {
  await write('/folder/b.txt', 'b');
  edits.keep([
    { workspaceId: 'w', path: '/folder', version: 0, content: 'a folder by now' },
    { workspaceId: 'w', path: '/a.txt', version: await version(), content: 'two' },
  ]);
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('two');
  expect([...stored.values()].join()).toContain('a folder by now');
});

test('stored data that is not an edit is ignored', async () => {
  stored.set('roundtrip-studio:unsaved-edits', '[{"path":1},null,"x"]');
  await edits.recover('w', fileSystem);
  stored.set('roundtrip-studio:unsaved-edits', 'no JSON');
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('one');
});

test('an edit in a temporary workspace is not stored, and the others are', async () => {
  const edit = { path: '/a.txt', version: await version(), content: 'one and two' };
  edits.keep([{ ...edit, workspaceId: temporaryId() }]);
  expect(stored.size).toBe(0);
  edits.keep([
    { ...edit, workspaceId: temporaryId(), content: 'secret' },
    { ...edit, workspaceId: 'w' },
  ]);
  expect(JSON.stringify([...stored])).not.toContain('secret');
  await edits.recover('w', fileSystem);
  expect(await read('/a.txt')).toBe('one and two');
});

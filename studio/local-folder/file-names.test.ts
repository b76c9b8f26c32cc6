import { expect, test } from 'vitest';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { accessOf } from '#lib/vfs/folder-access.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fileNames } from '#lib/vfs/test/file-names.ts';
import { LocalFolder } from './local-folder.ts';
import { FakeDisk } from './test/fake-disk.ts';

const NAMES = fileNames(3_000);
const PERSON = { type: 'person' } as const;
const textOf = (name: string): string => JSON.stringify(name);

async function filesIn(files: MemoryFileSystem, path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { name, type } of await files.readdir(path)) {
    if (type === 'file') found.set(name, new TextDecoder().decode(await files.readFile(`${path}/${name}`)));
    else for (const [below, text] of await filesIn(files, `${path}/${name}`)) found.set(`${name}/${below}`, text);
  }
  return found;
}

test('every name of a workspace is synced with its own content, or shown as skipped', { timeout: 60_000 }, async () => {
  const files = new MemoryFileSystem();
  const taken: string[] = [];
  for (const name of NAMES) {
    const error = await files
      .transaction(PERSON, async (tx) => tx.writeFile(`/d/${name}`, new TextEncoder().encode(textOf(name))))
      .then(
        () => undefined,
        (refused: unknown) => refused,
      );
    if (error === undefined) taken.push(name);
    else expect(error).toBeInstanceOf(FileSystemError);
  }
  const disk = new FakeDisk();
  const folder = new LocalFolder({
    workspaceId: 'names',
    handle: disk.handle,
    fileSystem: files,
    memory: {},
    keep: async () => undefined,
  });
  await folder.start({ ask: true });
  const before = await filesIn(files, '/d');
  const { skipped } = folder.state.getState();
  const left = new Set(skipped.map(({ path }) => path));
  const onDisk = new Map(Object.entries(disk.files()));
  for (const [name, text] of before) {
    const path = `/d/${name}`;
    // Files that git or the studio would run or trust are not part of a folder.
    if (accessOf(path) !== 'open') continue;
    const isSkipped = [...left].some((one) => path === one || path.startsWith(`${one}/`));
    expect(isSkipped ? text : onDisk.get(path), textOf(name)).toBe(text);
  }
  // Nothing else has come about, and the workspace is as it was.
  for (const path of onDisk.keys()) expect(before.has(path.slice('/d/'.length)), path).toBe(true);
  expect(await filesIn(files, '/d')).toEqual(before);
  expect(taken.length).toBeGreaterThan(2_000);
  expect(onDisk.size).toBeGreaterThan(2_000);
  await folder.close();
});

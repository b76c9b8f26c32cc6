import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readStudioZip, writeZip } from '#lib/vfs/archive/zip.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fileNames } from '#lib/vfs/test/file-names.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { DiskStorage } from './disk-storage.ts';

const NAMES = fileNames(3_000);
const PERSON = { type: 'person' } as const;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** Names that are written in one transaction, unless one of them is refused. */
const AT_ONCE = 50;

/** Writes a file of each name; returns the names that were taken. Each other one is refused, by its name. */
async function writeAll(files: FileSystem, names: readonly string[] = NAMES): Promise<string[]> {
  const write = (some: readonly string[]) =>
    files.transaction(PERSON, async (tx) => {
      for (const name of some) tx.writeFile(`/d/${name}`, bytesOf(JSON.stringify(name)));
    });
  const taken: string[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const error = await write(some).catch((refused: unknown) => refused);
    if (error === undefined) taken.push(...some);
    else if (some.length > 1) for (const name of some) taken.push(...(await writeAll(files, [name])));
    else {
      expect(error, JSON.stringify(some)).toBeInstanceOf(FileSystemError);
      expect((error as FileSystemError).path).toContain('/d');
    }
  }
  return taken;
}

/** Checks that each name leads to its own content, and that the listing has exactly these names. */
async function checkAll(files: FileSystem, names: readonly string[]): Promise<void> {
  const listed = (await files.readdir('/d')).map(({ name }) => name);
  expect(new Set(listed)).toEqual(new Set(names));
  expect(listed).toHaveLength(names.length);
  for (const name of names)
    expect(textOf(await files.readFile(`/d/${name}`)), JSON.stringify(name)).toBe(JSON.stringify(name));
}

/** Those that every file system refuses, or takes as another path. */
const isNoName = (name: string) => name === '.' || name === '..' || name.includes('\0');

test('in a workspace, every name leads to its own file, or is refused', async () => {
  const files = new MemoryFileSystem();
  const taken = await writeAll(files);
  await checkAll(files, taken);
  expect(taken.length).toBeGreaterThan(NAMES.length * 0.8);
  const zipped = new Map<string, Uint8Array>();
  for (const name of taken) zipped.set(`d/${name}`, await files.readFile(`/d/${name}`));
  const limits = { maxBytes: 100_000_000, maxEntries: 10_000 };
  const unzipped = readStudioZip(writeZip(zipped), limits);
  expect([...unzipped.keys()].sort()).toEqual([...zipped.keys()].sort());
  for (const [path, bytes] of zipped) expect(unzipped.get(path), JSON.stringify(path)).toEqual(bytes);
});

test('on the disk, every name leads to its own file, or is refused, and the disk has the same names', {
  timeout: 60_000,
}, async () => {
  const root = await mkdtemp(join(tmpdir(), 'names-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const files = new TreeFileSystem(await DiskStorage.open(root));
  const taken = await writeAll(files);
  await checkAll(files, taken);
  expect(new Set(await readdir(join(root, 'd')))).toEqual(new Set(taken));
  await checkAll(new TreeFileSystem(await DiskStorage.open(root)), taken);
  expect(taken.filter(isNoName)).toEqual([]);
});

import { beforeEach, expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { type ChosenFile, IMPORT_MAX_BYTES, importFiles, readImport } from './import-files.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

let workspace: OpenedWorkspace;

beforeEach(() => {
  workspace = { fileSystem: new MemoryFileSystem() } as unknown as OpenedWorkspace;
});

const chosen = (path: string, content = path): ChosenFile => ({ path, file: new File([content], path) });

/** A file that says that it has as many bytes, and cannot be read. */
const sized = (path: string, size: number): ChosenFile => {
  const { file } = chosen(path);
  return { path, file: Object.defineProperty(file, 'size', { value: size }) };
};

const read = (...files: ChosenFile[]) => readImport(workspace, '/', { files, folders: [], unreadable: [] });

test('a file that does not fit is named, and keeps no other out', async () => {
  const { files, failed } = await read(chosen('a.txt'), sized('big.bin', IMPORT_MAX_BYTES + 1), chosen('b.txt'));
  expect([...files.keys()]).toEqual(['/a.txt', '/b.txt']);
  expect(failed).toEqual([{ name: 'big.bin', problem: 'too-large' }]);
  const together = await read(sized('one', IMPORT_MAX_BYTES - 10), sized('two', 11), chosen('c.txt'));
  expect(together.failed).toEqual([{ name: 'two', problem: 'too-large' }]);
});

test('names are put together as they are typed, and two that become the same are told', async () => {
  const apart = 'café/한글.txt'.normalize('NFD');
  const found = await read(chosen(apart, 'one'), chosen('café/한글.txt', 'two'));
  expect([...found.files.keys()]).toEqual(['/café/한글.txt']);
  expect(found.failed).toEqual([{ name: 'café/한글.txt', problem: 'taken' }]);
  await importFiles(workspace, found, 'replace');
  expect(new TextDecoder().decode(await workspace.fileSystem.readFile('/café/한글.txt'))).toBe('one');
});

import { ArchiveError } from '#lib/archive/archive-error.ts';
import { ZIP_ENTRIES_MAX } from '#lib/archive/limits.ts';
import { pause } from '#lib/base/pause.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import { joinPath, resolvePath } from '#lib/vfs/paths.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import { readFiles } from './read-files.ts';

/** Maximum size of one import in bytes, with zip files unpacked. */
export const IMPORT_MAX_BYTES = 500_000_000;
/** Maximum number of files and folders in one import. */
export const IMPORT_MAX_ENTRIES = 20_000;

/** How many files are written without a pause. */
const WRITES_PER_PAUSE = 500;

/** Files and folders that have been read and can be imported. Nothing from them is in the workspace yet. */
export interface ReadImport {
  /** Bytes by absolute path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths. */
  folders: readonly string[];
  /** The files among them whose path is already taken by a file or folder. */
  existing: readonly string[];
}

/** A file that the user dropped or chose, with its path relative to the dropped or chosen folder. */
export interface ChosenFile {
  path: string;
  file: File;
}

export interface Chosen {
  files: readonly ChosenFile[];
  folders: readonly string[];
}

/** Everything in a drop, including the contents of folders. Call it while the event is being handled. */
export async function readDrop(data: DataTransfer): Promise<Chosen> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: ChosenFile[] = [];
  const folders: string[] = [];
  const visit = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length + folders.length > IMPORT_MAX_ENTRIES) throw tooMany();
    const path = entry.fullPath.slice(1);
    if (isFileEntry(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      files.push({ path, file });
    } else {
      folders.push(path);
      for (const child of await readEntries(entry as FileSystemDirectoryEntry)) await visit(child);
    }
  };
  for (const entry of entries) await visit(entry);
  return { files, folders };
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** A reader returns a folder's entries in batches; the last batch is empty. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

/** The selection of a file or folder input. */
export const readInput = (files: Iterable<File>): Chosen => ({
  files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })),
  folders: [],
});

/**
 * Reads files to be put into a directory. A single zip file is unpacked. Rejects with `ArchiveError` if anything cannot
 * be imported; then nothing is imported.
 */
export async function readImport(workspace: OpenedWorkspace, directory: string, chosen: Chosen): Promise<ReadImport> {
  const [only, ...others] = chosen.files;
  if (only !== undefined && others.length === 0 && isZip(only.file)) return readZip(workspace, directory, only.file);
  const bytes = chosen.files.reduce((sum, { file }) => sum + file.size, 0);
  if (chosen.files.length + chosen.folders.length > IMPORT_MAX_ENTRIES) throw tooMany();
  if (bytes > IMPORT_MAX_BYTES) throw tooLarge();
  const files = new Map<string, Uint8Array>();
  for (const { path, file } of chosen.files)
    files.set(pathIn(directory, path), new Uint8Array(await file.arrayBuffer()));
  return withExisting(workspace, { files, folders: chosen.folders.map((path) => pathIn(directory, path)) });
}

async function readZip(workspace: OpenedWorkspace, directory: string, file: File): Promise<ReadImport> {
  if (file.size > IMPORT_MAX_BYTES) throw tooLarge();
  const limits = { maxBytes: IMPORT_MAX_BYTES, maxEntries: IMPORT_MAX_ENTRIES };
  const entries = await workspace.runner.unzip(new Uint8Array(await file.arrayBuffer()), limits);
  const files = new Map<string, Uint8Array>();
  const folders: string[] = [];
  for (const [name, data] of entries) {
    if (name === './') continue;
    if (name.endsWith('/')) folders.push(pathIn(directory, name.slice(0, -1)));
    else files.set(pathIn(directory, name), data);
  }
  if (files.size + folders.length === 0) throw new ArchiveError({ type: 'empty' });
  return withExisting(workspace, { files, folders });
}

const isZip = ({ name, type }: File): boolean => type === 'application/zip' || name.toLowerCase().endsWith('.zip');

const tooMany = (): ArchiveError => new ArchiveError({ type: 'too-many', limit: IMPORT_MAX_ENTRIES });

const tooLarge = (): ArchiveError => new ArchiveError({ type: 'too-large', limit: IMPORT_MAX_BYTES / 1_000_000 });

/** Archives can contain any path. One that leads outside the directory is rejected, not fixed. `.` is ignored. */
function pathIn(directory: string, name: string): string {
  const refused = (type: 'absolute-path' | 'path-out' | 'bad-path') => new ArchiveError({ type, path: name });
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name) || name.includes('\\')) throw refused('absolute-path');
  const segments = name.split('/');
  if (segments.includes('..')) throw refused('path-out');
  const path = joinPath(directory, segments.filter((segment) => segment !== '.').join('/'));
  try {
    if (resolvePath(path) !== path) throw refused('bad-path');
  } catch (error) {
    if (error instanceof FileSystemError) throw refused('bad-path');
    throw error;
  }
  return path;
}

async function withExisting(
  { fileSystem }: OpenedWorkspace,
  { files, folders }: Omit<ReadImport, 'existing'>,
): Promise<ReadImport> {
  const existing: string[] = [];
  for (const path of files.keys()) if (await exists(fileSystem, path)) existing.push(path);
  return { files, folders, existing };
}

/** Writes everything into the workspace, or nothing. `skip` leaves existing files unchanged. */
export async function importFiles(
  { fileSystem }: OpenedWorkspace,
  { files, folders, existing }: ReadImport,
  onExisting: 'replace' | 'skip',
): Promise<number> {
  const skipped = new Set(onExisting === 'skip' ? existing : []);
  const wanted = [...files].filter(([path]) => !skipped.has(path));
  await fileSystem.transaction(
    { type: 'person' },
    async (tx) => {
      for (const path of folders) tx.mkdir(path);
      for (const [index, [path, data]] of wanted.entries()) {
        if (index % WRITES_PER_PAUSE === 0) await pause();
        tx.writeFile(path, data);
      }
    },
    { durability: 'strict' },
  );
  return wanted.length;
}

/** The workspace, or one of its folders, as a zip. Rejects with `FileSystemError` EFBIG if it has too many entries for one. */
export async function exportZip({ fileSystem, runner }: OpenedWorkspace, directory: string): Promise<Blob> {
  const { files, emptyFolders } = await readFiles(fileSystem, directory);
  const nameIn = (path: string): string => path.slice(directory === '/' ? 1 : directory.length + 1);
  const entries = new Map([...files].map(([path, data]) => [nameIn(path), data]));
  for (const path of emptyFolders) entries.set(`${nameIn(path)}/`, new Uint8Array());
  if (entries.size > ZIP_ENTRIES_MAX) {
    const detail = `has ${entries.size} files and folders, and a zip can have ${ZIP_ENTRIES_MAX}; download its folders one by one`;
    throw new FileSystemError('EFBIG', directory, { detail });
  }
  return new Blob([(await runner.zip(entries)) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

import { pause } from '#lib/base/pause.ts';
import { ArchiveError } from '#lib/vfs/archive/archive-error.ts';
import type { UnpackProblem } from '#lib/vfs/archive/foreign-zip.ts';
import { ZIP_ENTRIES_MAX } from '#lib/vfs/archive/limits.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import { joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { unportablePaths } from '#lib/vfs/portable-names.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import { readFiles } from './read-files.ts';

/** Maximum size of one import in bytes, with zip files unpacked. */
export const IMPORT_MAX_BYTES = 500_000_000;
/** Maximum number of files and folders in one import. */
export const IMPORT_MAX_ENTRIES = 20_000;

/** The number of files that are written without a pause. */
const WRITES_PER_PAUSE = 500;

/**
 * The reason why a file or folder is not imported. `taken`: something else has its path. `too-large`: it does not fit into what
 * can be imported at once.
 */
type ImportProblem =
  | UnpackProblem
  | 'unreadable'
  | 'too-large'
  | 'absolute-path'
  | 'path-out'
  | 'bad-path'
  | 'long-name';

/**
 * A file or folder that is not imported. `name`: its name in the zip or on the disk or, if it could not be written, its path in
 * the workspace.
 */
export interface FailedImport {
  name: string;
  problem: ImportProblem;
}

/** Files and folders that have been read and can be imported. Nothing from them is in the workspace yet. */
export interface ReadImport {
  /** Bytes by absolute path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths of the folders. */
  folders: readonly string[];
  /** The paths in `files` at which the workspace already has a file or folder. */
  existing: readonly string[];
  failed: readonly FailedImport[];
  /** The number of files that were left out because only macOS uses them. */
  systemFiles: number;
}

/**
 * A file that the user dropped or chose. `path`: its name or, if it is in a dropped or chosen folder, its path from the name of
 * that folder on, such as `docs/notes.md`.
 */
export interface ChosenFile {
  path: string;
  file: File;
}

export interface Chosen {
  files: readonly ChosenFile[];
  folders: readonly string[];
  /** Paths of files and folders that the browser could not read. */
  unreadable: readonly string[];
}

/** Matches what macOS adds to folders and zips. */
const SYSTEM_FILE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/;

/**
 * Matches an AppleDouble file, `._` and a name, in which macOS keeps attributes of the file with that name. Captures the folder
 * and the name.
 */
const SECOND_PART = /^(.*\/)?\._([^/]+)$/s;

/** The first bytes of an AppleDouble file. See https://datatracker.ietf.org/doc/html/rfc1740#appendix-B. */
const SECOND_PART_MARK = [0x00, 0x05, 0x16, 0x07];

/** Checks whether a file of an import is an AppleDouble file of another one in the import, so that only macOS uses it. */
function isSystemFile(name: string, data: Uint8Array, names: ReadonlySet<string>): boolean {
  const [, folder = '', file] = SECOND_PART.exec(name) ?? [];
  const isMarked = SECOND_PART_MARK.every((byte, index) => data[index] === byte);
  return isMarked && file !== undefined && (names.has(`${folder}${file}`) || names.has(`${folder}${file}/`));
}

/**
 * Lists all files and folders in a drop, including the contents of folders. Call it while the event is being handled.
 * Rejects with `ArchiveError` if there are more than `IMPORT_MAX_ENTRIES`.
 */
export async function readDrop(data: DataTransfer): Promise<Chosen> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: ChosenFile[] = [];
  const folders: string[] = [];
  const unreadable: string[] = [];
  const visit = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length + folders.length > IMPORT_MAX_ENTRIES) throw tooMany();
    const path = entry.fullPath.slice(1);
    try {
      if (isFileEntry(entry)) {
        const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
        files.push({ path, file });
        return;
      }
      const children = await readEntries(entry as FileSystemDirectoryEntry);
      folders.push(path);
      for (const child of children) await visit(child);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      unreadable.push(path);
    }
  };
  for (const entry of entries) await visit(entry);
  return { files, folders, unreadable };
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

/** Lists a folder. A reader returns its entries in batches, of which the last is empty. */
async function readEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

/** Returns the files that were selected in an input for files or for a folder, in the form that `readImport` takes. */
export const readInput = (files: Iterable<File>): Chosen => ({
  files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })),
  folders: [],
  unreadable: [],
});

/**
 * Reads files for an import into a directory, and writes nothing. A single zip file is unpacked. Files that cannot be read, or
 * that are too large to be imported with the others, are listed in `failed`. Rejects with `ArchiveError` for a file that is no
 * zip in spite of its name, for an empty zip or one that is too large, and for too many files.
 */
export async function readImport(workspace: OpenedWorkspace, directory: string, chosen: Chosen): Promise<ReadImport> {
  const [only, ...others] = chosen.files;
  if (only !== undefined && others.length === 0 && isZip(only.file)) return readZip(workspace, directory, only.file);
  if (chosen.files.length + chosen.folders.length > IMPORT_MAX_ENTRIES) throw tooMany();
  const found: Found = { entries: [], failed: chosen.unreadable.map((name) => ({ name, problem: 'unreadable' })) };
  for (const path of chosen.folders) found.entries.push([`${path}/`, new Uint8Array()]);
  let room = IMPORT_MAX_BYTES;
  for (const { path, file } of chosen.files) {
    if (file.size > room) {
      found.failed.push({ name: path, problem: 'too-large' });
      continue;
    }
    try {
      found.entries.push([path, new Uint8Array(await file.arrayBuffer())]);
      room -= file.size;
    } catch {
      // It is gone, or nobody may read it.
      found.failed.push({ name: path, problem: 'unreadable' });
    }
  }
  return placed(workspace, directory, found);
}

/** Contents of a zip, or of the disk, by name. The name of a folder ends with a slash. */
interface Found {
  entries: [name: string, data: Uint8Array][];
  failed: FailedImport[];
}

async function readZip(workspace: OpenedWorkspace, directory: string, file: File): Promise<ReadImport> {
  if (file.size > IMPORT_MAX_BYTES) throw tooLarge();
  const limits = { maxBytes: IMPORT_MAX_BYTES, maxEntries: IMPORT_MAX_ENTRIES };
  const data = new Uint8Array(await file.arrayBuffer());
  const { entries, failed } = await workspace.runner.unpack(data, limits, navigator.languages);
  if (entries.size + failed.size === 0) throw new ArchiveError({ type: 'empty' });
  return placed(workspace, directory, {
    entries: [...entries],
    failed: Array.from(failed, ([name, problem]) => ({ name, problem })),
  });
}

/**
 * Finds the path of each file and folder in a directory, and writes nothing. Leaves out what only macOS uses, and adds entries
 * without a valid path, or with one that is taken, to `failed`.
 */
async function placed(
  { fileSystem }: OpenedWorkspace,
  directory: string,
  { entries, failed }: Found,
): Promise<ReadImport> {
  const files = new Map<string, Uint8Array>();
  const folders: string[] = [];
  const names = new Set(entries.map(([name]) => name));
  let systemFiles = 0;
  for (const [name, data] of entries) {
    const isFolder = name.endsWith('/');
    if (SYSTEM_FILE.test(name) || isSystemFile(name, data, names)) systemFiles += isFolder ? 0 : 1;
    else {
      const place = placeOf(directory, isFolder ? name.slice(0, -1) : name);
      if ('problem' in place) failed.push({ name, problem: place.problem });
      else if (!isFolder && files.has(place.path)) failed.push({ name, problem: 'taken' });
      else if (!isFolder) files.set(place.path, data);
      else if (place.path !== directory) folders.push(place.path);
    }
  }
  const existing: string[] = [];
  for (const path of files.keys()) if (await exists(fileSystem, path)) existing.push(path);
  return { files, folders, existing, failed: failed.filter(({ name }) => !SYSTEM_FILE.test(name)), systemFiles };
}

const isZip = ({ name, type }: File): boolean => type === 'application/zip' || name.toLowerCase().endsWith('.zip');

const tooMany = (): ArchiveError => new ArchiveError({ type: 'too-many', limit: IMPORT_MAX_ENTRIES });

const tooLarge = (): ArchiveError => new ArchiveError({ type: 'too-large', limit: IMPORT_MAX_BYTES / 1_000_000 });

/**
 * Finds the path for an entry of an import. Archives can contain any path; one that leads outside the directory is not
 * imported. Names are normalized to NFC, as in git: macOS stores accents and syllables as separate characters, which nobody can
 * type.
 */
function placeOf(directory: string, name: string): { path: string } | { problem: ImportProblem } {
  if (name.startsWith('/') || /^[A-Za-z]:[\\/]/.test(name)) return { problem: 'absolute-path' };
  const segments = name.split('/');
  if (segments.includes('..')) return { problem: 'path-out' };
  try {
    const path = joinPath(
      directory,
      segments
        .filter((segment) => segment !== '.')
        .join('/')
        .normalize('NFC'),
    );
    return resolvePath(path) === path ? { path } : { problem: 'bad-path' };
  } catch (error) {
    if (error instanceof FileSystemError) return { problem: error.code === 'ENAMETOOLONG' ? 'long-name' : 'bad-path' };
    throw error;
  }
}

/**
 * Writes the files and folders that were read into the workspace, in one transaction. `skip` leaves existing files unchanged.
 * Resolves with the number of files written, and with what was not imported.
 */
export async function importFiles(
  { fileSystem }: OpenedWorkspace,
  { files, folders, existing, failed }: ReadImport,
  onExisting: 'replace' | 'skip',
): Promise<{ count: number; failed: readonly FailedImport[] }> {
  const skipped = new Set(onExisting === 'skip' ? existing : []);
  const wanted = [...files].filter(([path]) => !skipped.has(path));
  const refused: FailedImport[] = [];
  const attempt = (path: string, write: () => void) => {
    try {
      write();
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      refused.push({ name: path, problem: 'taken' });
    }
  };
  await fileSystem.transaction(
    { type: 'person' },
    async (tx) => {
      refused.length = 0;
      for (const path of folders) attempt(path, () => tx.mkdir(path));
      for (const [index, [path, data]] of wanted.entries()) {
        if (index % WRITES_PER_PAUSE === 0) await pause();
        attempt(path, () => tx.writeFile(path, data));
      }
    },
    { durability: 'strict' },
  );
  const notWritten = new Set(refused.map(({ name }) => name));
  return {
    count: wanted.filter(([path]) => !notWritten.has(path)).length,
    failed: [...failed, ...refused],
  };
}

interface ExportedZip {
  zip: Blob;
  /** Paths in the zip that Windows does not allow. */
  unportable: readonly string[];
}

/**
 * Makes a zip of the workspace, or of one of its folders, and finds the paths in it that Windows does not allow. Rejects with
 * `FileSystemError` EFBIG if it has too many entries for a zip.
 */
export async function exportZip({ fileSystem, runner }: OpenedWorkspace, directory: string): Promise<ExportedZip> {
  const { files, emptyFolders } = await readFiles(fileSystem, directory);
  const nameIn = (path: string): string => path.slice(directory === '/' ? 1 : directory.length + 1);
  const entries = new Map([...files].map(([path, data]) => [nameIn(path), data]));
  for (const path of emptyFolders) entries.set(`${nameIn(path)}/`, new Uint8Array());
  if (entries.size > ZIP_ENTRIES_MAX) {
    const detail = `has ${entries.size} files and folders, and a zip can have ${ZIP_ENTRIES_MAX}; download its folders one by one`;
    throw new FileSystemError('EFBIG', directory, { detail });
  }
  const zip = new Blob([(await runner.zip(entries)) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
  return { zip, unportable: unportablePaths([...entries.keys()]) };
}

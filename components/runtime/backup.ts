import * as z from 'zod';
import { messageSchema } from '#lib/messages/message.ts';
import type { MessageNode } from '#lib/threads/message-tree.ts';
import { type Thread, threadSchema } from '#lib/threads/thread.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { settingsSchema } from './settings.ts';
import type { Studio } from './studio.ts';

/** The most a backup may hold when unpacked, in bytes. */
export const BACKUP_MAX_BYTES = 500_000_000;

const MANIFEST = 'studio.json';
const FILES = 'workspace';

/** Everything but the files. There is no key in it: keys never reach the browser. */
const manifestSchema = z.object({
  format: z.literal('roundtrip-studio-backup'),
  version: z.literal(1),
  createdAt: z.number(),
  settings: settingsSchema,
  threads: z.array(
    z.object({
      thread: threadSchema,
      messages: z.array(z.object({ message: messageSchema, parentId: z.string().nullable() })),
    }),
  ),
});

type Manifest = z.infer<typeof manifestSchema>;

/** A backup that was read and found whole; nothing of it is in the studio yet. */
export interface ReadBackup {
  manifest: Manifest;
  /** Bytes by absolute path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths of the folders that have nothing in them. */
  emptyFolders: readonly string[];
}

/** Thrown for a file that is no backup; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** All threads, settings and workspace files as one zip. */
export async function createBackup({ store, fileSystem, settings }: Studio): Promise<Blob> {
  const { strToU8, zip } = await import('fflate');
  const threads = (await store.threads()).filter(({ deletedAt }) => deletedAt === undefined);
  const manifest: Manifest = {
    format: 'roundtrip-studio-backup',
    version: 1,
    createdAt: Date.now(),
    settings: settings.getState(),
    threads: await Promise.all(threads.map(async (thread) => ({ thread, messages: await store.messages(thread.id) }))),
  };
  const entries: Record<string, Uint8Array> = { [MANIFEST]: strToU8(JSON.stringify(manifest)) };
  const { files, emptyFolders } = await readTree(fileSystem, '/');
  for (const [path, data] of files) entries[FILES + path] = data;
  for (const path of emptyFolders) entries[`${FILES}${path}/`] = new Uint8Array();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  zip(entries, { level: 6 }, (error, data) =>
    error === null ? resolve(data as Uint8Array<ArrayBuffer>) : reject(error),
  );
  return new Blob([await promise], { type: 'application/zip' });
}

/** Reads a backup and checks all of it. Rejects with `BackupError`; nothing is half-restored. */
export async function readBackup(file: Blob): Promise<ReadBackup> {
  const { strFromU8, unzip } = await import('fflate');
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, Uint8Array>>();
  let total = 0;
  unzip(
    new Uint8Array(await file.arrayBuffer()),
    {
      filter({ originalSize }) {
        total += originalSize;
        return total <= BACKUP_MAX_BYTES;
      },
    },
    (error, entries) =>
      error === null ? resolve(entries) : reject(new BackupError(`it is no zip file (${error.message})`)),
  );
  const entries = new Map(Object.entries(await promise));
  if (total > BACKUP_MAX_BYTES) throw new BackupError(`it unpacks to more than ${BACKUP_MAX_BYTES / 1_000_000} MB`);
  const manifest = entries.get(MANIFEST);
  if (manifest === undefined) throw new BackupError(`it holds no ${MANIFEST}, so it is no backup of the studio`);
  const files = new Map<string, Uint8Array>();
  const emptyFolders: string[] = [];
  for (const [name, data] of entries) {
    if (!name.startsWith(`${FILES}/`) || name === `${FILES}/`) continue;
    const path = name.slice(FILES.length);
    if (path.endsWith('/')) emptyFolders.push(safePath(path.slice(0, -1)));
    else files.set(safePath(path), data);
  }
  return { manifest: parseManifest(strFromU8(manifest)), files, emptyFolders };
}

/**
 * Puts a backup into the studio: settings, threads of the same id and files of the same path are replaced, the rest
 * stays. A thread is replaced whole or not at all, and so are the files.
 */
export async function restoreBackup(studio: Studio, { manifest, files, emptyFolders }: ReadBackup): Promise<void> {
  const { store, fileSystem, settings, threads } = studio;
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    for (const [path, data] of files) tx.writeFile(path, data);
    for (const path of emptyFolders) tx.mkdir(path);
  });
  await threads.replace(async () => {
    for (const { thread, messages } of manifest.threads)
      await store.replaceThread({ ...thread, activity: 'settled' } satisfies Thread, messages as MessageNode[]);
  });
  const { backedUpAt, backupReminderHiddenUntil } = settings.getState();
  await settings.change({ ...manifest.settings, backedUpAt, backupReminderHiddenUntil });
}

function parseManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BackupError(`its ${MANIFEST} is no JSON`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BackupError(`its ${MANIFEST} does not fit at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** A zip can name any path; one that leaves the workspace is refused, not mended. */
function safePath(path: string): string {
  try {
    const resolved = resolvePath(path);
    if (resolved === path) return resolved;
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
  throw new BackupError(`it holds a file of the path ${JSON.stringify(path)}, which is not inside the workspace`);
}

async function readTree(fileSystem: FileSystem, directory: string) {
  const files: [path: string, data: Uint8Array][] = [];
  const emptyFolders: string[] = [];
  for (const { name, type } of await fileSystem.readdir(directory)) {
    const path = joinPath(directory, name);
    if (type === 'file') files.push([path, await fileSystem.readFile(path)]);
    if (type !== 'directory') continue;
    const below = await readTree(fileSystem, path);
    files.push(...below.files);
    if (below.files.length + below.emptyFolders.length === 0) emptyFolders.push(path);
    else emptyFolders.push(...below.emptyFolders);
  }
  return { files, emptyFolders };
}

/** Hands a file to the person. */
export function download(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

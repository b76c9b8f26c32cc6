import * as z from 'zod';
import { messageSchema } from '#lib/messages/message.ts';
import type { MessageNode } from '#lib/threads/message-tree.ts';
import { FIRST_WORKSPACE, type Thread, threadSchema } from '#lib/threads/thread.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { type FilesBelow, readFiles } from './read-files.ts';
import { settingsSchema } from './settings.ts';
import type { Studio } from './studio.ts';

/** The most a backup may hold when unpacked, in bytes. */
export const BACKUP_MAX_BYTES = 500_000_000;
/** The most files it may hold. */
const BACKUP_MAX_ENTRIES = 200_000;

const MANIFEST = 'studio.json';
/** Where version 1, which knew one workspace, has its files. */
const FILES_1 = 'workspace/';
const FILES = 'workspaces/';

/** Everything but the files. There is no key in it: keys never reach the browser. */
const manifestSchema = z.object({
  format: z.literal('roundtrip-studio-backup'),
  version: z.union([z.literal(1), z.literal(2)]),
  createdAt: z.number(),
  settings: settingsSchema,
  threads: z.array(
    z.object({
      thread: threadSchema,
      messages: z.array(z.object({ message: messageSchema, parentId: z.string().nullable() })),
    }),
  ),
  workspaces: z.array(z.object({ id: z.string(), name: z.string().nullable(), createdAt: z.number() })).default([]),
});

type Manifest = z.infer<typeof manifestSchema>;

/** A backup that was read and found whole; nothing of it is in the studio yet. */
export interface ReadBackup {
  manifest: Manifest;
  /** By the workspace's id. */
  workspaces: ReadonlyMap<string, FilesBelow>;
  /** How many files it has in all. */
  fileCount: number;
}

/** Thrown for a file that is no backup; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** All threads, settings and files as one zip. Of the files' history there is nothing in it. */
export async function createBackup({ store, workspaces, threads, settings }: Studio): Promise<Blob> {
  const stored = (await store.threads()).filter(({ deletedAt }) => deletedAt === undefined);
  const { list } = workspaces.state.getState();
  const manifest: Manifest = {
    format: 'roundtrip-studio-backup',
    version: 2,
    createdAt: Date.now(),
    settings: settings.getState(),
    threads: await Promise.all(stored.map(async (thread) => ({ thread, messages: await store.messages(thread.id) }))),
    workspaces: [...list],
  };
  const entries = new Map<string, Uint8Array>([[MANIFEST, new TextEncoder().encode(JSON.stringify(manifest))]]);
  const ids = new Set([...list, ...stored.map(({ workspaceId }) => ({ id: workspaceId }))].map(({ id }) => id));
  // The files of a thread that is only begun, too.
  ids.add(threads.workspaceId);
  for (const id of ids) {
    const { fileSystem } = await workspaces.open(id);
    const { files, emptyFolders } = await readFiles(fileSystem, '/');
    const folder = FILES + encodeURIComponent(id);
    for (const [path, data] of files) entries.set(folder + path, data);
    for (const path of emptyFolders) entries.set(`${folder}${path}/`, new Uint8Array());
  }
  const { runner } = await workspaces.open(threads.workspaceId);
  return new Blob([(await runner.zip(entries)) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

/** Reads a backup and checks all of it. Rejects with `BackupError` or `ArchiveError`; nothing is half-restored. */
export async function readBackup({ workspaces, threads }: Studio, file: Blob): Promise<ReadBackup> {
  const { runner } = await workspaces.open(threads.workspaceId);
  const limits = { maxBytes: BACKUP_MAX_BYTES, maxEntries: BACKUP_MAX_ENTRIES };
  const entries = await runner.unzip(new Uint8Array(await file.arrayBuffer()), limits);
  const stored = entries.get(MANIFEST);
  if (stored === undefined) throw new BackupError(`it holds no ${MANIFEST}, so it is no backup of the studio`);
  const manifest = parseManifest(new TextDecoder().decode(stored));
  const found = new Map<string, FilesBelow>();
  let fileCount = 0;
  for (const [name, data] of entries) {
    const place = placeOf(name, manifest.version);
    if (place === undefined) continue;
    const files = found.get(place.id) ?? { files: new Map<string, Uint8Array>(), emptyFolders: [] };
    found.set(place.id, files);
    if (place.path.endsWith('/')) files.emptyFolders.push(safePath(place.path.slice(0, -1)));
    else {
      files.files.set(safePath(place.path), data);
      fileCount++;
    }
  }
  return { manifest, workspaces: found, fileCount };
}

/** The workspace and the path that an entry's name stands for; undefined where it is no file. */
function placeOf(name: string, version: Manifest['version']): { id: string; path: string } | undefined {
  if (version === 1) {
    const isFile = name.startsWith(FILES_1) && name !== FILES_1;
    return isFile ? { id: FIRST_WORKSPACE, path: name.slice(FILES_1.length - 1) } : undefined;
  }
  const end = name.indexOf('/', FILES.length);
  if (!name.startsWith(FILES) || end === -1 || end === name.length - 1) return undefined;
  return { id: decodeURIComponent(name.slice(FILES.length, end)), path: name.slice(end) };
}

/**
 * Puts a backup into the studio: settings, threads of the same id and files of the same path are replaced, the rest
 * stays. A thread is replaced whole or not at all, and so are the files of a workspace.
 */
export async function restoreBackup(studio: Studio, { manifest, workspaces: found }: ReadBackup): Promise<void> {
  const { store, workspaces, settings, threads } = studio;
  for (const [id, { files, emptyFolders }] of found) {
    const { fileSystem } = await workspaces.open(id);
    await fileSystem.transaction(
      { type: 'person' },
      async (tx) => {
        for (const [path, data] of files) tx.writeFile(path, data);
        for (const path of emptyFolders) tx.mkdir(path);
      },
      { durability: 'strict' },
    );
  }
  for (const workspace of manifest.workspaces) await workspaces.add(workspace);
  await threads.replace(async () => {
    for (const { thread, messages } of manifest.threads) {
      // The points are of another history.
      const restored = { ...thread, activity: 'settled', checkpoints: {}, heads: {} } satisfies Thread;
      await store.replaceThread(restored, messages as MessageNode[]);
    }
  });
  await workspaces.addMissing();
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

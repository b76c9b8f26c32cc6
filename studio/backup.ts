import * as z from 'zod';
import { messageSchema, timeSchema } from '#lib/messages/message.ts';
import { withDamage } from '#lib/messages/readable.ts';
import {
  idsOf,
  type LeftOut,
  leftOutOf,
  settleThread,
  type WholeThread,
  withFreeIds,
} from '#lib/threads/adopt-thread.ts';
import { StoredCatalogues } from '#lib/threads/catalogues.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import { FIRST_WORKSPACE, threadSchema } from '#lib/threads/thread.ts';
import { ZIP_ENTRIES_MAX } from '#lib/vfs/archive/limits.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { resolvePath } from '#lib/vfs/paths.ts';
import { connectionsSchema } from './connections/connection.ts';
import { ConnectionEditor } from './connections/connection-editor.ts';
import { modelRecordsSchema } from './model-records.ts';
import { withRestored } from './personas.ts';
import { type FilesBelow, readFiles } from './read-files.ts';
import { restoredSettings } from './restored-settings.ts';
import { settingsSchema } from './settings.ts';
import { backUpSources, restoreSources } from './sources/source-kinds.ts';
import type { Studio } from './studio.ts';
import { threadFolderSchema } from './thread-folders.ts';
import type { Threads } from './threads.ts';

/** Maximum unpacked size of a backup, in bytes. */
const BACKUP_MAX_BYTES = 500_000_000;
/** Maximum number of files and folders in a backup: as many as a zip can have. */
const BACKUP_MAX_ENTRIES = ZIP_ENTRIES_MAX;

const MANIFEST = 'studio.json';
/** The folder of the files in version 1, which had only one workspace. */
const FILES_1 = 'workspace/';
const FILES = 'workspaces/';

/**
 * The file `studio.json`: everything except the workspaces' files. It contains no API key: those stay in the browser's vault.
 */
const manifestSchema = z.object({
  format: z.literal('roundtrip-studio-backup'),
  version: z.union([z.literal(1), z.literal(2)]),
  createdAt: timeSchema,
  settings: settingsSchema,
  /** The person's connections, without their keys. */
  connections: connectionsSchema.default([]),
  /** The person's tool servers and HTTP APIs, each kind as a list. */
  sources: z.record(z.string(), z.unknown()).catch({}),
  /** The records of models: what the person chose and found out about them. */
  modelRecords: modelRecordsSchema.default({}),
  threads: z.array(
    z.object({
      thread: threadSchema,
      messages: z.array(z.object({ message: messageSchema, parentId: z.string().nullable() })),
    }),
  ),
  workspaces: z.array(z.object({ id: z.string(), name: z.string().nullable(), createdAt: z.number() })).default([]),
  /** The folders of the list of threads. */
  threadFolders: z.array(threadFolderSchema).default([]),
  /** The catalogues of tools that the threads' steps name, by name. */
  catalogues: z.record(z.string(), z.string()).default({}),
});

type Manifest = z.infer<typeof manifestSchema>;

/** The parts of the studio that a backup reads and restores. */
export interface BackedUp
  extends Pick<Studio, 'store' | 'workspaces' | 'threadFolders' | 'settings' | 'connections' | 'modelRecords'> {
  threads: Pick<Threads, 'state' | 'workspaceId'>;
}

/** A backup that has been read and validated. Nothing from it is in the studio yet. */
export interface ReadBackup {
  /** The content of the file `studio.json`: everything except the workspaces' files. */
  manifest: Manifest;
  /** The files of each workspace, by its id. */
  workspaces: ReadonlyMap<string, FilesBelow>;
  /** The total number of files. */
  fileCount: number;
}

/** Thrown for a file that is not a valid backup, and if there is more than a backup can have; the message gives the reason. */
class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * Creates a zip with all threads, settings, and files. The files' history, deleted threads that can still be restored,
 * temporary threads, and keys and other secrets are not included. Rejects with `BackupError` if there is more than a backup can
 * have.
 */
export async function createBackup(studio: BackedUp): Promise<Blob> {
  const { store, workspaces, threads, threadFolders, settings, connections, modelRecords } = studio;
  const stored = (await store.threads()).filter(({ id, deletedAt }) => deletedAt === undefined && !isTemporary(id));
  const { list } = workspaces.state.getState();
  const whole = await Promise.all(
    stored.map(async (thread) => {
      const messages = await store.messages(thread.id);
      return { thread, messages: messages.map((node) => ({ ...node, message: withDamage(node.message) })) };
    }),
  );
  const named = await new StoredCatalogues(store).namedIn(whole.flatMap(({ messages }) => messages));
  const manifest: Manifest = {
    format: 'roundtrip-studio-backup',
    version: 2,
    createdAt: Date.now(),
    settings: settings.getState(),
    connections: [...connections.state.getState().connections],
    sources: await backUpSources(store),
    modelRecords: modelRecords.state.getState(),
    threads: whole,
    workspaces: [...list],
    threadFolders: [...threadFolders.state.getState().folders],
    catalogues: Object.fromEntries(named),
  };
  const entries = new Map<string, Uint8Array>([[MANIFEST, new TextEncoder().encode(JSON.stringify(manifest))]]);
  const ids = new Set([...list, ...stored.map(({ workspaceId }) => ({ id: workspaceId }))].map(({ id }) => id));
  // Include the files of a thread that has only been started.
  if (!isTemporary(threads.workspaceId)) ids.add(threads.workspaceId);
  for (const id of ids) {
    const { fileSystem } = await workspaces.open(id);
    const { files, emptyFolders } = await readFiles(fileSystem, '/');
    const folder = FILES + encodeURIComponent(id);
    for (const [path, data] of files) entries.set(folder + path, data);
    for (const path of emptyFolders) entries.set(`${folder}${path}/`, new Uint8Array());
  }
  checkRestorable(entries);
  const { runner } = await workspaces.open(threads.workspaceId);
  return new Blob([(await runner.zip(entries)) as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}

/** Throws `BackupError` for a backup that `readBackup` would refuse as too large. */
function checkRestorable(entries: ReadonlyMap<string, Uint8Array>): void {
  if (entries.size > BACKUP_MAX_ENTRIES)
    throw new BackupError(
      `there are ${entries.size.toLocaleString('en')} files and folders, and a backup can have ${BACKUP_MAX_ENTRIES.toLocaleString('en')}. Download large workspaces as zip files, and delete what you no longer need`,
    );
  const bytes = [...entries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytes > BACKUP_MAX_BYTES)
    throw new BackupError(
      `everything together has ${Math.ceil(bytes / 1_000_000)} MB, and a backup can have ${BACKUP_MAX_BYTES / 1_000_000} MB. Download large workspaces as zip files, and delete what you no longer need`,
    );
}

/**
 * Reads and validates a whole backup, and restores nothing yet. Of `workspaces` and `threads`, uses only the worker that
 * unzips. Rejects with `BackupError` or `ArchiveError` if any of it is not valid.
 */
export async function readBackup(
  { workspaces, threads }: Pick<BackedUp, 'workspaces' | 'threads'>,
  file: Blob,
): Promise<ReadBackup> {
  const { runner } = await workspaces.open(threads.workspaceId);
  const limits = { maxBytes: BACKUP_MAX_BYTES, maxEntries: BACKUP_MAX_ENTRIES };
  const entries = await runner.unzip(new Uint8Array(await file.arrayBuffer()), limits);
  const stored = entries.get(MANIFEST);
  if (stored === undefined) throw new BackupError(`the file has no ${MANIFEST}, so it isn’t a backup from the studio`);
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

/** The workspace and path that an entry's name refers to; undefined if it is not a file. */
function placeOf(name: string, version: Manifest['version']): { id: string; path: string } | undefined {
  if (version === 1) {
    const isFile = name.startsWith(FILES_1) && name !== FILES_1;
    return isFile ? { id: FIRST_WORKSPACE, path: name.slice(FILES_1.length - 1) } : undefined;
  }
  const end = name.indexOf('/', FILES.length);
  if (!name.startsWith(FILES) || end === -1 || end === name.length - 1) return undefined;
  return { id: decoded(name.slice(FILES.length, end)), path: name.slice(end) };
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new BackupError(`it contains a workspace with the id ${JSON.stringify(id)}, which cannot be read`);
  }
}

/** The threads that restoring a backup will add, and counts of what it will leave out. */
export interface RestorePlan {
  /** Threads that will be added. */
  threads: readonly WholeThread[];
  /** The number of threads that are already here with all of their messages. */
  presentThreads: number;
  /**
   * Counts of what restoring leaves out or ends: unfinished answers, grants, and queued messages of the threads that will be
   * added, and the permissions in the backup's settings.
   */
  leftOut: LeftOut & { permissions: number };
}

/**
 * Determines which threads restoring a backup would add, and counts what it would leave out. The threads are as they would be
 * added: with ids that are free, and so that nothing in them acts on its own, because a backup may come from anyone. Files,
 * connections, and other settings are not part of the plan.
 */
export async function planRestore({ store }: Pick<BackedUp, 'store'>, { manifest }: ReadBackup): Promise<RestorePlan> {
  const taken = new Set<string>();
  const present = new Map<string, ReadonlySet<string>>();
  for (const thread of await store.threads()) {
    const ids = idsOf({ thread, messages: await store.messages(thread.id) });
    present.set(thread.id, new Set(ids));
    for (const id of ids) taken.add(id);
  }
  const found = manifest.threads as readonly WholeThread[];
  // A thread with such an id would not be stored.
  for (const { thread } of found) if (isTemporary(thread.id)) taken.add(thread.id);
  const isPresent = ({ thread, messages }: WholeThread) =>
    messages.every(({ message }) => present.get(thread.id)?.has(message.id) === true);
  const added = found.filter((whole) => !present.has(whole.thread.id) || !isPresent(whole));
  const leftOut = added.map(leftOutOf);
  const sum = (count: (one: LeftOut) => number) => leftOut.reduce((total, one) => total + count(one), 0);
  return {
    threads: added.map((whole) => withFreeIds(settleThread(whole), taken)),
    presentThreads: found.length - added.length,
    leftOut: {
      unfinished: sum(({ unfinished }) => unfinished),
      grants: sum(({ grants }) => grants),
      queued: sum(({ queued }) => queued),
      permissions: Object.values(manifest.settings.permissions).reduce(
        (total, policies) => total + Object.keys(policies).length,
        manifest.settings.pathRules.length + manifest.settings.allowedHosts.length,
      ),
    },
  };
}

/** The numbers of restored items. */
export interface Restored {
  threads: number;
  files: number;
  connections: number;
  /** Tool servers and HTTP APIs. */
  sources: number;
}

/**
 * Adds to the studio what a backup has and the studio lacks, including settings, but no permissions. A workspace whose id is
 * taken by one with different files gets a new id. Each thread, and the files of each workspace, are restored completely or
 * not at all. After a failure, restoring the backup again adds what is missing.
 */
export async function restoreBackup(studio: BackedUp, backup: ReadBackup): Promise<Restored> {
  const { store, workspaces, settings } = studio;
  const catalogues = new StoredCatalogues(store);
  const { manifest } = backup;
  const plan = await planRestore(studio, backup);
  const places = new Map<string, string>();
  let fileCount = 0;
  const needed = new Set(plan.threads.map(({ thread }) => thread.workspaceId));
  for (const id of new Set([...backup.workspaces.keys(), ...needed])) {
    const files = backup.workspaces.get(id) ?? NO_FILES;
    const place = await placeFor(studio, id, files, needed.has(id));
    if (place === undefined) continue;
    places.set(id, place.id);
    if (place.hasFiles) continue;
    const { fileSystem } = await workspaces.open(place.id);
    await writeFiles(fileSystem, files);
    const info = manifest.workspaces.find((workspace) => workspace.id === id);
    const name = nameOfCopy(manifest, id, place.id !== id && !needed.has(id));
    await workspaces.add({ id: place.id, name: info?.name ?? name, createdAt: info?.createdAt ?? manifest.createdAt });
    fileCount += files.files.size;
  }
  // First, so that threads find theirs.
  await studio.threadFolders.restore(manifest.threadFolders);
  const texts = new Map(Object.entries(manifest.catalogues));
  for (const { thread, messages } of plan.threads) {
    await catalogues.adopt(texts, messages);
    const workspaceId = places.get(thread.workspaceId);
    if (workspaceId === undefined) throw new Error(`The workspace ${thread.workspaceId} was not restored.`);
    await store.addThread({ thread: { ...thread, workspaceId }, messages });
  }
  const { permissions: _, permissionSources: __, pathRules: ___, allowedHosts: ____, ...others } = manifest.settings;
  const { backedUpAt: _____, backupReminderHiddenUntil: ______, personas, ...applied } = others;
  const here = settings.getState();
  await settings.change({ ...restoredSettings(here, applied), personas: withRestored(here.personas, personas) });
  const connections = await new ConnectionEditor(studio.connections).restore(manifest.connections);
  await studio.modelRecords.restore(manifest.modelRecords);
  const sources = await restoreSources(store, manifest.sources);
  return { threads: plan.threads.length, files: fileCount, connections, sources };
}

const NO_FILES: FilesBelow = { files: new Map(), emptyFolders: [] };

/**
 * Finds the workspace for files from a backup. It keeps its id only if the id is free or already belongs to a workspace with
 * exactly the same files. Undefined if nothing needs to be restored. `isNeeded`: whether a restored thread uses it. `hasFiles`:
 * whether the files are already there.
 */
async function placeFor(
  { workspaces, threads }: BackedUp,
  id: string,
  files: FilesBelow,
  isNeeded: boolean,
): Promise<{ id: string; hasFiles: boolean } | undefined> {
  const { list, draftId } = workspaces.state.getState();
  const isKnown =
    id === draftId ||
    list.some((info) => info.id === id) ||
    threads.state.getState().threads.some(({ workspaceId }) => workspaceId === id);
  if (!isKnown) {
    const mayKeep = WORKSPACE_ID.test(id) && !isTemporary(id) && !(id in Object.prototype);
    return { id: mayKeep ? id : crypto.randomUUID(), hasFiles: false };
  }
  const isSame = hasSameFiles(files, await readFiles((await workspaces.open(id)).fileSystem, '/'));
  if (isSame && !isNeeded) return undefined;
  // Every browser has a workspace with the first workspace's id.
  if (isSame && id !== FIRST_WORKSPACE && id !== draftId) return { id, hasFiles: true };
  return { id: crypto.randomUUID(), hasFiles: false };
}

/** Matches the ids that restored workspaces may keep, because they become names of databases. */
const WORKSPACE_ID = /^[\w-]{1,64}$/;

function hasSameFiles(one: FilesBelow, other: FilesBelow): boolean {
  if (one.files.size !== other.files.size || one.emptyFolders.length !== other.emptyFolders.length) return false;
  for (const [path, data] of one.files) {
    const same = other.files.get(path);
    if (same === undefined || same.byteLength !== data.byteLength) return false;
    if (data.some((byte, index) => byte !== same[index])) return false;
  }
  return one.emptyFolders.every((path) => other.emptyFolders.includes(path));
}

/** Names a copy of a workspace by the title of its thread in the backup and the backup's date; null if it is no copy. */
function nameOfCopy({ createdAt, threads }: Manifest, id: string, isCopy: boolean): string | null {
  if (!isCopy) return null;
  const title = threads.find(({ thread }) => thread.workspaceId === id)?.thread.title;
  const date = new Date(createdAt).toISOString().slice(0, 10);
  return title ? `${title} (${date})` : date;
}

async function writeFiles(fileSystem: FileSystem, { files, emptyFolders }: FilesBelow): Promise<void> {
  await fileSystem.transaction(
    { type: 'person' },
    async (tx) => {
      for (const [path, data] of files) tx.writeFile(path, data);
      for (const path of emptyFolders) tx.mkdir(path);
    },
    { durability: 'strict' },
  );
}

function parseManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BackupError(`its ${MANIFEST} is not valid JSON`);
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BackupError(`its ${MANIFEST} is invalid at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/**
 * Returns a path from a backup as it is. Throws `BackupError` unless it is a normalized path in the workspace: a zip can
 * contain any path, and one that leads outside is rejected rather than fixed.
 */
function safePath(path: string): string {
  try {
    const resolved = resolvePath(path);
    if (resolved === path) return resolved;
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
  throw new BackupError(`it contains a file with the path ${JSON.stringify(path)}, which is outside the workspace`);
}

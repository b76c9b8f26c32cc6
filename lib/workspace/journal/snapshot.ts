import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { defined } from '#lib/base/defined.ts';
import type { DiskStorage } from '#lib/vfs/disk/disk-storage.ts';
import { linkAt } from '#lib/vfs/disk/entry-content.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { type NodeId, type NodeState, ROOT_ID } from '#lib/vfs/node-tree.ts';
import { basename, dirname, joinPath } from '#lib/vfs/paths.ts';
import { type IgnoreFile, ignoreFileOf, isIgnored } from '#lib/workspace/search/walk.ts';
import type { ContentStore } from './content-store.ts';
import { type Change, type EntryState, isSameState } from './entries.ts';
import { KEPT_BYTES_MAX, KEPT_FILE_MAX_BYTES, KEPT_FILES_MAX } from './limits.ts';

/**
 * The states of the files, folders and symlinks in a folder on disk at some time. Those before and after a command show what it
 * changed.
 */
export interface Snapshot {
  /** By path. `signature`: a text that differs whenever the entry on disk does. */
  entries: Map<string, { state: EntryState; signature: string }>;
  /** The folders that were left out with everything in them: their inodes, by path. */
  leftOut: Map<string, number>;
}

/**
 * The folders that the snapshots of a turn leave out. That is decided before the turn runs a command or changes a
 * `.gitignore` file, so that the turn cannot exclude folders itself: those that snapshots covered before stay covered.
 */
export interface Exclusions {
  /** The inodes of the folders that are left out, by path: a folder that is moved is still left out. */
  leftOut: ReadonlyMap<string, number>;
  /** The paths of the folders that snapshots cover, even if a `.gitignore` file excludes them later. */
  covered: ReadonlySet<string>;
}

/** A folder on disk that has a journal, with its storage and its file system. */
export interface Folder {
  /** The path of the folder on disk, real and absolute. */
  root: string;
  storage: DiskStorage;
  files: FileSystem;
}

/**
 * The inode of the folder at `path` if snapshots leave it out: as `exclusions` say or, if it is new, as `.gitignore` files
 * say now. Undefined if snapshots cover it.
 */
function inodeIfLeftOut(
  root: string,
  path: string,
  rules: readonly IgnoreFile[],
  exclusions: Exclusions | undefined,
): number | undefined {
  if (exclusions?.covered.has(path)) return undefined;
  const inode = () => lstatSync(join(root, path), { throwIfNoEntry: false })?.ino ?? UNKNOWN_INODE;
  if (basename(path) === '.git' || exclusions?.leftOut.has(path) || isIgnored(path, true, rules)) return inode();
  if (exclusions === undefined) return undefined;
  const own = inode();
  return own !== UNKNOWN_INODE && [...exclusions.leftOut.values()].includes(own) ? own : undefined;
}

/** The inode of a folder that has gone, or that an earlier version of the studio left out without noting its inode. */
const UNKNOWN_INODE = 0;

/**
 * Finds the folders that snapshots would leave out in a turn that begins now, by what is on disk: `.git`, and those that
 * `.gitignore` files exclude. `root`: real and absolute.
 */
export async function findExclusions(root: string): Promise<Exclusions> {
  const exclusions = { leftOut: new Map<string, number>(), covered: new Set<string>() };
  const reader = { readFile: async (path: string) => readFileSync(join(root, path)) };
  const visit = async (path: string, above: readonly IgnoreFile[]): Promise<void> => {
    const entries = entriesOf(join(root, path));
    // Without its rules, snapshots cover more folders than they need to.
    const rules = [...above, ...(await ignoreFileOf(reader, path, entries).catch(() => []))];
    for (const entry of entries) {
      const below = joinPath(path, entry.name);
      if (!entry.isDirectory()) continue;
      const inode = inodeIfLeftOut(root, below, rules, undefined);
      if (inode !== undefined) exclusions.leftOut.set(below, inode);
      else {
        exclusions.covered.add(below);
        await visit(below, rules);
      }
    }
  };
  await visit('/', []);
  return exclusions;
}

function entriesOf(place: string) {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    // It is gone, or may not be read.
    return [];
  }
}

/**
 * Returns the folders that a snapshot leaves out, and those that it covers. Those of a turn's first snapshot are the exclusions
 * for the later snapshots of the turn.
 */
export const exclusionsOf = ({ entries, leftOut }: Snapshot): Exclusions => ({
  leftOut,
  covered: new Set([...entries].flatMap(([path, { state }]) => (state.type === 'directory' ? [path] : []))),
});

/**
 * Takes a snapshot of a folder. Stores the contents of files in `contents`, within limits: a file that exceeds them has no
 * hash. Files that have not changed since `earlier` are not read again. Leaves out `.git`, and folders that `.gitignore` files
 * exclude as a whole. For the folders that `exclusions` lists, it decides instead of the `.gitignore` files.
 */
export async function takeSnapshot(
  folder: Folder,
  contents: ContentStore,
  { earlier, exclusions }: { earlier?: Snapshot | undefined; exclusions?: Exclusions | undefined } = {},
): Promise<Snapshot> {
  const { tree } = folder.storage;
  const snapshot: Snapshot = { entries: new Map(), leftOut: new Map() };
  const kept = { files: 0, bytes: 0 };
  const visit = async (directory: NodeId, path: string, above: readonly IgnoreFile[]): Promise<void> => {
    const children = [...tree.children(directory)];
    const rules = [
      ...above,
      ...(await ignoreFileOf(
        folder.files,
        path,
        children.map(([name]) => ({ name })),
      )),
    ];
    for (const [name, id] of children) {
      const node = tree.known.node(id);
      const signature = tree.signature(id);
      const below = joinPath(path, name);
      if (node === undefined || signature === undefined) continue;
      const isFolder = node.type === 'directory';
      const inode = isFolder ? inodeIfLeftOut(folder.root, below, rules, exclusions) : undefined;
      if (inode !== undefined) {
        snapshot.leftOut.set(below, inode);
        continue;
      }
      snapshot.entries.set(below, { state: await stateOf(node, below, signature), signature });
      if (isFolder) await visit(id, below, rules);
    }
  };
  const stateOf = async (node: NodeState, path: string, signature: string): Promise<EntryState> => {
    const { type, mode, size, target } = node;
    if (type === 'directory') return { type, mode };
    if (type === 'symlink') return { type, mode, target: linkAt(folder.root, path) ?? target ?? '' };
    const before = earlier?.entries.get(path);
    const isKnown = before?.signature === signature && before.state.hash !== undefined;
    kept.files++;
    kept.bytes += isKnown ? 0 : size;
    const isTooMuch = size > KEPT_FILE_MAX_BYTES || kept.files > KEPT_FILES_MAX || kept.bytes > KEPT_BYTES_MAX;
    if (!isKnown && isTooMuch) return { type, mode, size, signature };
    const hash = isKnown ? before.state.hash : await keep(node, path);
    return { type, mode, size, signature, ...defined({ hash }) };
  };
  const keep = async (node: NodeState, path: string): Promise<string | undefined> => {
    try {
      return contents.put(await folder.storage.readBlob(node, path));
    } catch (error) {
      // A file that cannot be read, or is changing now, cannot be restored either.
      if (error instanceof FileSystemError) return undefined;
      throw error;
    }
  };
  await visit(ROOT_ID, '/', []);
  return snapshot;
}

/** Counts the files of a snapshot that could not be restored, because their contents are not kept. */
export const countUnkept = ({ entries }: Snapshot): number =>
  [...entries.values()].filter(({ state }) => state.type === 'file' && state.hash === undefined).length;

/** Finds the changes from one snapshot to a later one, except in folders that either of them leaves out. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  const isKnown = (path: string): boolean => {
    for (let place = path; place !== '/'; place = dirname(place))
      if (before.leftOut.has(place) || after.leftOut.has(place)) return false;
    return true;
  };
  const changes: Change[] = [];
  for (const [path, { state, signature }] of after.entries) {
    const old = before.entries.get(path);
    const isSame = old !== undefined && (old.signature === signature || isSameState(old.state, state));
    if ((!isSame || old.state.mode !== state.mode) && isKnown(path))
      changes.push({ path, before: old?.state ?? null, after: state });
  }
  for (const [path, { state }] of before.entries)
    if (!after.entries.has(path) && isKnown(path)) changes.push({ path, before: state, after: null });
  return changes;
}

const entriesSchema = z.array(
  z.tuple([
    z.string(),
    z.string(),
    z.object({
      type: z.enum(['file', 'directory', 'symlink']),
      mode: z.int(),
      size: z.number().optional(),
      hash: z.string().optional(),
      signature: z.string().optional(),
      target: z.string().optional(),
    }),
  ]),
);

/** The folders that a stored snapshot leaves out: paths with inodes. Earlier versions of the studio stored only paths. */
const leftOutSchema = z.array(z.union([z.tuple([z.string(), z.number()]), z.string()]));

const storedSchema = z.object({ entries: entriesSchema, leftOut: leftOutSchema });

/** Writes a snapshot to the file at `place`, whole or not at all. */
export function storeSnapshot(place: string, { entries, leftOut }: Snapshot): void {
  const stored = {
    entries: [...entries].map(([path, { signature, state }]) => [path, signature, state]),
    leftOut: [...leftOut],
  };
  const draft = `${place}-${process.pid}`;
  writeFileSync(draft, JSON.stringify(stored), { mode: 0o600 });
  renameSync(draft, place);
}

/**
 * Reads the snapshot in the file at `place`; undefined if there is none, or it is damaged. Throws Node's errors if it cannot
 * be read.
 */
export function readSnapshot(place: string): Snapshot | undefined {
  if (!existsSync(place)) return undefined;
  const text = readFileSync(place, 'utf8');
  try {
    const { entries, leftOut } = storedSchema.parse(JSON.parse(text));
    return {
      entries: new Map(entries.map(([path, signature, state]) => [path, { signature, state }])),
      leftOut: new Map(leftOut.map((one) => (typeof one === 'string' ? [one, UNKNOWN_INODE] : one))),
    };
  } catch {
    // It is damaged.
    return undefined;
  }
}

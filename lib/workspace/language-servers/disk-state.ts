import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '#lib/base/pause.ts';
import { joinPath } from '#lib/vfs/paths.ts';

/** The time spent looking at the disk before other work gets its turn, in milliseconds. */
const LOOK_MS = 10;

/** The state of the disk at one time, to find out later what has changed. */
export interface DiskState {
  /** Workspace paths, each with a text that differs whenever the file does. */
  files: ReadonlyMap<string, string>;
  /** A text that differs whenever packages have been installed, updated or removed. */
  packages: string;
}

/** A change of a file on disk. */
interface DiskChange {
  path: string;
  type: 'created' | 'changed' | 'deleted';
}

/**
 * Reads the state of all files below `root`, ignored ones included, because language servers read those as well. Does not
 * enter `.git` or follow symlinks, and of `node_modules` only sees which packages there are. Rejects with the reason of an
 * aborted signal.
 */
export async function readDiskState(root: string, signal: AbortSignal): Promise<DiskState> {
  const files = new Map<string, string>();
  const packages: string[] = [];
  const directories = ['/'];
  let turnEnds = performance.now() + LOOK_MS;
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of entriesOf(join(root, directory))) {
      const path = joinPath(directory, entry.name);
      if (!entry.isDirectory()) files.set(path, signatureOf(join(root, path)));
      else if (entry.name === 'node_modules') packages.push(packagesIn(join(root, path)));
      else if (entry.name !== '.git') directories.push(path);
    }
    if (performance.now() < turnEnds) continue;
    await pause();
    signal.throwIfAborted();
    turnEnds = performance.now() + LOOK_MS;
  }
  return { files, packages: packages.sort().join('\n') };
}

/** Returns the files that were created, changed or deleted between two states of the disk. */
export function diskChanges(before: DiskState, after: DiskState): DiskChange[] {
  const changes: DiskChange[] = [];
  for (const path of before.files.keys()) if (!after.files.has(path)) changes.push({ path, type: 'deleted' });
  for (const [path, signature] of after.files) {
    const earlier = before.files.get(path);
    if (earlier === undefined) changes.push({ path, type: 'created' });
    else if (earlier !== signature) changes.push({ path, type: 'changed' });
  }
  return changes;
}

/** The packages in a `node_modules` folder, with a signature of each. Caches in folders with a dot don't count. */
function packagesIn(folder: string): string {
  return entriesOf(folder)
    .filter((entry) => !(entry.isDirectory() && entry.name.startsWith('.')))
    .map(({ name }) => {
      const place = join(folder, name);
      return name.startsWith('@') ? packagesIn(place) : `${place} ${signatureOf(place)}`;
    })
    .join('\n');
}

/**
 * Returns the entries of a directory; empty if it cannot be read or no longer exists: then a server cannot see anything in it
 * either.
 */
function entriesOf(place: string): Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns a text that differs whenever the file does; empty for a file that no longer exists. */
function signatureOf(place: string): string {
  const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.ctimeNs}`;
}

import { createHash } from 'node:crypto';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import type { MessageNode } from '#lib/threads/message-tree.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { LedgerEntry } from '#lib/tools/execution/ledger.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { WorkspaceHistory } from '#lib/vfs/history.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';

/** The data that this version of the studio reads from the existing databases. */
interface StoredStudio {
  threads: Thread[];
  /** By thread id. */
  messages: Record<string, MessageNode[]>;
  calls: Record<string, LedgerEntry | undefined>;
  settings: Record<string, unknown>;
}

/** A workspace's tree by path, and the hash of its tree at each point of the history, from `floor` on. */
interface StoredWorkspace {
  floor: number;
  tree: Record<string, string | null>;
  points: string[];
  /** The author and the paths of each step, newest first. */
  steps: { author: unknown; time: number; changes: string[] }[];
}

export async function readStudio(): Promise<StoredStudio> {
  const store = await IndexedDbThreadStore.open();
  try {
    const threads = await store.threads();
    const messages: StoredStudio['messages'] = {};
    const calls: StoredStudio['calls'] = {};
    for (const { id } of threads) {
      messages[id] = await store.messages(id);
      for (const { message } of messages[id])
        for (const part of message.parts)
          if (part.type === 'tool-call') calls[part.toolCallId] = await store.get(part.toolCallId);
    }
    return { threads, messages, calls, settings: Object.fromEntries(await store.settingsUnder('')) };
  } finally {
    store.close();
  }
}

/** Reads a workspace at every point of its history, and leaves it at the newest. */
export async function readWorkspace(name: string): Promise<StoredWorkspace> {
  const storage = await IndexedDbStorage.open(name);
  const fileSystem = new TreeFileSystem(storage);
  const history = new WorkspaceHistory(storage, fileSystem);
  try {
    const { floor, sequence } = history;
    const tree = await treeOf(fileSystem, '/');
    const steps = (await history.steps(floor)).map(({ author, time, changes }) => ({
      author,
      time,
      changes: changes.map(({ path }) => path),
    }));
    const points: string[] = [];
    for (let point = floor; point <= sequence; point++) {
      await history.restore({ type: 'person' }, point);
      points.push(hashOf(JSON.stringify(await treeOf(fileSystem, '/'))));
    }
    return { floor, tree, points, steps };
  } finally {
    storage.close();
  }
}

/** Each path with its mode and the hash of its contents, or the target of a link; null for a folder. */
async function treeOf(fileSystem: FileSystem, folder: string): Promise<Record<string, string | null>> {
  const tree: Record<string, string | null> = {};
  for (const { name } of await fileSystem.readdir(folder)) {
    const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
    const { type, mode } = await fileSystem.lstat(path);
    if (type === 'directory') Object.assign(tree, { [path]: null }, await treeOf(fileSystem, path));
    else if (type === 'symlink') tree[path] = `-> ${await fileSystem.readlink(path)}`;
    else tree[path] = `${mode.toString(8)} ${hashOf(await fileSystem.readFile(path))}`;
  }
  return tree;
}

const hashOf = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex').slice(0, 16);

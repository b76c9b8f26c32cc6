import { LAYOUT_KEY, type LayoutState } from '#components/layout/layout-store.ts';
import type { WholeThread } from '#lib/threads/adopt-thread.ts';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { IndexedDbStorage } from '#lib/vfs/indexeddb/indexeddb-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import { databaseName } from '#studio/workspaces.ts';

/** The data that is put into the browser's storage before the studio opens. */
export interface StartingData {
  /** The text files of the first workspace, by path. */
  files?: Readonly<Record<string, string>>;
  /** The stored settings that differ from the defaults. */
  settings?: Readonly<Record<string, unknown>>;
  threads?: readonly WholeThread[];
  /** Whether the first workspace is shown although it is empty; true by default. */
  isWorkspaceShown?: boolean;
}

/** Fills the databases of the first workspace and of the threads through the studio's own code. */
export async function fillDatabases({
  files = {},
  settings,
  threads = [],
}: Omit<StartingData, 'isWorkspaceShown'>): Promise<void> {
  const storage = await IndexedDbStorage.open(databaseName(FIRST_WORKSPACE));
  const encoder = new TextEncoder();
  const made = new Set<string>();
  await new TreeFileSystem(storage).transaction({ type: 'person' }, async (tx) => {
    for (const [path, content] of Object.entries(files)) {
      const folders = path.split('/').slice(1, -1);
      for (let depth = 1; depth <= folders.length; depth++) {
        const folder = `/${folders.slice(0, depth).join('/')}`;
        if (!made.has(folder)) tx.mkdir(folder);
        made.add(folder);
      }
      tx.writeFile(path, encoder.encode(content));
    }
  });
  storage.close();
  const store = await IndexedDbThreadStore.open();
  // Titles would be further requests to the model, at any time.
  await store.putSetting('settings', { namesThreads: false, ...settings });
  for (const thread of threads) await store.addThread(thread);
  store.close();
}

/** Returns the entry of `localStorage` with the layout, which shows the first workspace or not. */
export function layoutEntry({ isWorkspaceShown = true }: Pick<StartingData, 'isWorkspaceShown'>): [string, string] {
  const layout: Pick<LayoutState, 'workspaces'> = { workspaces: isWorkspaceShown ? { [FIRST_WORKSPACE]: true } : {} };
  return [LAYOUT_KEY, JSON.stringify({ state: layout, version: 1 })];
}

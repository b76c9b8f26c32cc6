import type { StoreApi } from 'zustand/vanilla';
import { delay } from '#lib/base/delay.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { joinPath } from '#lib/vfs/paths.ts';

/** Minimum time between two reads of a tree that keeps changing, in milliseconds. */
const READ_EVERY_MS = 100;

export interface TreeItem {
  path: string;
  name: string;
  isDirectory: boolean;
  /** Paths: directories first, then files, each sorted by name. */
  children: readonly string[];
}

export interface WorkspaceTreeState {
  workspaceId: string | undefined;
  /** Every entry by path; undefined until the workspace has been read. */
  items: ReadonlyMap<string, TreeItem> | undefined;
}

/** The names of a workspace's files as the views show them. The workspace is the source of truth. */
export type WorkspaceTree = StoreApi<WorkspaceTreeState>;

/**
 * Reads the names of a workspace's files into `tree`, and again whenever they change, until the returned function is called.
 */
export function followWorkspace(
  tree: WorkspaceTree,
  { id: workspaceId, fileSystem }: { id: string; fileSystem: FileSystem },
): () => void {
  let isCurrent = true;
  let isReading = false;
  let again = false;
  const read = async () => {
    if (isReading) {
      again = true;
      return;
    }
    isReading = true;
    do {
      again = false;
      // A folder may go away meanwhile; that change has it read again.
      const items = await readTree(fileSystem).catch(() => undefined);
      if (!isCurrent) return;
      // The shown workspace may have changed in the meantime.
      if (items !== undefined) tree.setState({ workspaceId, items });
      await delay(READ_EVERY_MS);
    } while (again);
    isReading = false;
  };
  if (tree.getState().workspaceId !== workspaceId) tree.setState({ workspaceId, items: undefined });
  void read();
  const unwatch = fileSystem.watch(() => void read());
  return () => {
    isCurrent = false;
    unwatch();
  };
}

async function readTree(fileSystem: FileSystem): Promise<Map<string, TreeItem>> {
  const items = new Map<string, TreeItem>();
  const visit = async (path: string, name: string): Promise<void> => {
    const entries = [...(await fileSystem.readdir(path))].sort(
      (a, b) => Number(b.type === 'directory') - Number(a.type === 'directory') || (a.name < b.name ? -1 : 1),
    );
    items.set(path, { path, name, isDirectory: true, children: entries.map((entry) => joinPath(path, entry.name)) });
    for (const entry of entries) {
      const child = joinPath(path, entry.name);
      if (entry.type === 'directory') await visit(child, entry.name);
      else items.set(child, { path: child, name: entry.name, isDirectory: false, children: [] });
    }
  };
  await visit('/', '');
  return items;
}

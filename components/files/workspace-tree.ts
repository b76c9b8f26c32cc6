'use client';

import { useEffect } from 'react';
import { create } from 'zustand';
import { useStudio } from '#components/runtime/studio-provider.tsx';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { joinPath } from '#lib/vfs/paths.ts';

export interface TreeItem {
  path: string;
  name: string;
  isDirectory: boolean;
  /** Paths, directories first, each kind by name. */
  children: readonly string[];
}

interface WorkspaceTree {
  /** Every entry by its path; undefined until the workspace was read. */
  items: ReadonlyMap<string, TreeItem> | undefined;
}

/** The workspace's names as the views show them. The workspace itself stays the truth; this is read anew when it changes. */
export const useWorkspaceTree = create<WorkspaceTree>(() => ({ items: undefined }));

/** Keeps the tree up to date while a view is there. */
export function useWorkspaceTreeUpdates(): void {
  const { fileSystem } = useStudio();
  useEffect(() => {
    let reading: Promise<void> | undefined;
    let again = false;
    const read = () => {
      if (reading !== undefined) {
        again = true;
        return;
      }
      reading = readTree(fileSystem)
        .then(
          (items) => useWorkspaceTree.setState({ items }),
          () => undefined,
        )
        .finally(() => {
          reading = undefined;
          if (again) {
            again = false;
            read();
          }
        });
    };
    read();
    return fileSystem.watch(read);
  }, [fileSystem]);
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

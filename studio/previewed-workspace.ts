import { Preview } from '#lib/sandbox/preview/preview.ts';
import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { openWorkspace } from '#lib/workspace/workspace.ts';
import { openSettings, type Settings } from './settings.ts';
import { databaseName } from './workspaces.ts';

/** A workspace and its preview, for a window that shows only the preview, without the rest of the studio. */
export interface PreviewedWorkspace {
  preview: Preview;
  fileSystem: FileSystem;
  settings: Settings;
  close(): void;
}

/**
 * Opens the preview of a workspace of this browser, and shows the page at the path `entry` in it, unless that is null. Rejects
 * with `FileSystemError` ENOENT if the browser has no such workspace, or if `workspaceId` is null.
 */
export async function openPreviewOf(workspaceId: string | null, entry: string | null): Promise<PreviewedWorkspace> {
  const store = await IndexedDbThreadStore.open();
  const isKnown = (await store.threads()).some((thread) => thread.workspaceId === workspaceId);
  const databases = await indexedDB.databases();
  const name = databaseName(workspaceId ?? '');
  // Opening a missing workspace would create it.
  if (workspaceId === null || (!isKnown && !databases.some((database) => database.name === name)))
    throw new FileSystemError('ENOENT', '/', { detail: 'this browser has no such workspace' });
  const settings = (await openSettings(store)).getState();
  const workspace = await openWorkspace(name);
  const sandbox = new Sandbox(document.documentElement.dataset.sandboxOrigin);
  const { fileSystem } = workspace;
  const preview = new Preview({ fileSystem, sandbox });
  if (entry !== null) preview.show(entry);
  const close = () => {
    preview.close();
    workspace.close();
  };
  return { preview, fileSystem, settings, close };
}

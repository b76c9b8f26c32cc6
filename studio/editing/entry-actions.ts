import type { OpenedWorkspace } from '../opened-workspace.ts';
import type { EditorTabs } from './editor-tabs.ts';
import type { UnsavedEdits } from './unsaved-edits.ts';

/** The open files: their unsaved edits, and their tabs. */
export interface Editing {
  edits: UnsavedEdits;
  tabs: EditorTabs;
}

import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import { basename, isWithin, joinPath } from '#lib/vfs/paths.ts';

/**
 * Returns those of the paths that are not below another one of them: what happens to a folder also happens to its contents.
 */
export const topmost = (paths: readonly string[]): string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));

/**
 * Moves or renames a file or folder. Saves its unsaved edits first, and keeps its tabs open under the new path. Rejects with
 * `FileSystemError` EEXIST if the target exists.
 */
export async function movePath(editing: Editing, workspace: OpenedWorkspace, from: string, to: string): Promise<void> {
  await moveAll(editing, workspace, [[from, to]]);
}

/**
 * Moves files and folders into a folder, like `movePath`: all of them or none. Those that are there already stay. Rejects with
 * `FileSystemError` EEXIST if a target exists.
 */
export async function moveInto(
  editing: Editing,
  workspace: OpenedWorkspace,
  paths: readonly string[],
  directory: string,
): Promise<void> {
  const moves = topmost(paths).map((path): [string, string] => [path, joinPath(directory, basename(path))]);
  await moveAll(
    editing,
    workspace,
    moves.filter(([from, to]) => from !== to),
  );
}

async function moveAll(
  { edits, tabs }: Editing,
  { id, fileSystem }: OpenedWorkspace,
  moves: readonly [from: string, to: string][],
): Promise<void> {
  await Promise.all(moves.map(([from]) => edits.saveUnder(id, from)));
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    for (const [from, to] of moves) {
      if (await exists(tx, to)) throw new FileSystemError('EEXIST', to);
      tx.rename(from, to);
    }
  });
  for (const [from, to] of moves) tabs.move(from, to);
}

/** Deletes files, and folders with their contents: all of them or none. */
export async function deletePaths({ fileSystem }: OpenedWorkspace, paths: readonly string[]): Promise<void> {
  await fileSystem.transaction({ type: 'person' }, async (tx) => {
    for (const path of topmost(paths)) tx.rm(path, { recursive: true });
  });
}

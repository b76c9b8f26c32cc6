import { readInput } from '#studio/import-files.ts';
import type { Imports } from '#studio/imports.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';

/** Lets the user choose files or a folder, and imports them into a directory. */
export function chooseFiles(
  imports: Imports,
  workspace: OpenedWorkspace,
  directory: string,
  kind: 'files' | 'folder',
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = kind === 'folder';
  input.onchange = () => {
    const chosen = readInput(input.files ?? []);
    if (chosen.files.length > 0) void imports.add(workspace, directory, Promise.resolve(chosen));
  };
  input.click();
}

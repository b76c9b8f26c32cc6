import { create } from 'zustand';
import { type Chosen, importFiles, type ReadImport, readImport, readInput } from '#components/runtime/import-files.ts';
import type { OpenedWorkspace } from '#components/runtime/opened-workspace.ts';

/** The state of an import. */
export type Importing =
  | { type: 'reading' }
  /** Some of the files already exist. */
  | { type: 'asking'; read: ReadImport; finish(onExisting: 'replace' | 'skip'): void }
  | { type: 'failed'; error: unknown };

export const useImporting = create<{ importing: Importing | undefined }>(() => ({ importing: undefined }));

const show = (importing: Importing | undefined): void => useImporting.setState({ importing });

/** Closes the dialog. Reading is cancelled; writing is not. */
export const closeImport = (): void => show(undefined);

/** Imports dropped or chosen files into a directory. Never rejects: the dialog reports errors. */
export async function takeIn(workspace: OpenedWorkspace, directory: string, chosen: Promise<Chosen>): Promise<void> {
  const reading: Importing = { type: 'reading' };
  const isCancelled = () => useImporting.getState().importing !== reading;
  show(reading);
  try {
    const read = await readImport(workspace, directory, await chosen);
    if (isCancelled()) return;
    if (read.existing.length > 0) {
      show({ type: 'asking', read, finish: (onExisting) => void finish(workspace, read, onExisting) });
      return;
    }
    await finish(workspace, read, 'replace');
  } catch (error) {
    if (!isCancelled()) show({ type: 'failed', error });
  }
}

async function finish(workspace: OpenedWorkspace, read: ReadImport, onExisting: 'replace' | 'skip'): Promise<void> {
  show({ type: 'reading' });
  try {
    await importFiles(workspace, read, onExisting);
    closeImport();
  } catch (error) {
    show({ type: 'failed', error });
  }
}

/** Lets the user choose files or a folder, and imports them into a directory. */
export function chooseFiles(workspace: OpenedWorkspace, directory: string, kind: 'files' | 'folder'): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = kind === 'folder';
  input.onchange = () => {
    const chosen = readInput(input.files ?? []);
    if (chosen.files.length > 0) void takeIn(workspace, directory, Promise.resolve(chosen));
  };
  input.click();
}

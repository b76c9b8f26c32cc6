import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Chosen, FailedImport, ReadImport } from './import-files.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';

/** The state of an import. */
export type Importing =
  /** Files are being read or written. */
  | { type: 'reading' }
  /** Some of the files already exist. `finish` goes on with the user's answer about them. */
  | { type: 'asking'; read: ReadImport; finish(onExisting: 'replace' | 'skip'): void }
  /**
   * Some files were not imported. `count`: the number of imported files. `systemFiles`: how many were left out because only
   * macOS uses them.
   */
  | { type: 'partly'; count: number; failed: readonly FailedImport[]; systemFiles: number }
  | { type: 'failed'; error: unknown };

/**
 * Imports dropped or chosen files into a workspace, one import at a time: another one takes the place of one that is still
 * being read. Its `state` is what the dialog shows.
 */
export class Imports {
  readonly state: StoreApi<{ importing: Importing | undefined }> = createStore(() => ({ importing: undefined }));

  /** Imports dropped or chosen files into a directory. Never rejects: the dialog reports errors. */
  async add(workspace: OpenedWorkspace, directory: string, chosen: Promise<Chosen>): Promise<void> {
    const reading: Importing = { type: 'reading' };
    const isCancelled = () => this.state.getState().importing !== reading;
    this.#show(reading);
    try {
      const { readImport } = await import('./import-files.ts');
      const read = await readImport(workspace, directory, await chosen);
      if (isCancelled()) return;
      if (read.existing.length > 0) {
        this.#show({ type: 'asking', read, finish: (onExisting) => void this.#finish(workspace, read, onExisting) });
        return;
      }
      await this.#finish(workspace, read, 'replace');
    } catch (error) {
      if (!isCancelled()) this.#show({ type: 'failed', error });
    }
  }

  /** Closes the dialog. Reading is cancelled; writing is not. */
  close(): void {
    this.#show(undefined);
  }

  async #finish(workspace: OpenedWorkspace, read: ReadImport, onExisting: 'replace' | 'skip'): Promise<void> {
    this.#show({ type: 'reading' });
    try {
      const { importFiles } = await import('./import-files.ts');
      const { count, failed } = await importFiles(workspace, read, onExisting);
      const { systemFiles } = read;
      this.#show(failed.length + systemFiles === 0 ? undefined : { type: 'partly', count, failed, systemFiles });
    } catch (error) {
      this.#show({ type: 'failed', error });
    }
  }

  #show(importing: Importing | undefined): void {
    this.state.setState({ importing });
  }
}

import { createStore, type StoreApi } from 'zustand/vanilla';
import { isTemporary } from '#lib/threads/temporary.ts';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { exists } from '#lib/vfs/exists.ts';
import type { FileSystem, Version } from '#lib/vfs/file-system.ts';
import { isWithin } from '#lib/vfs/paths.ts';

/** Text that had been typed but not saved to the workspace when its page was closed. */
export interface UnsavedEdit {
  workspaceId: string;
  path: string;
  /** The version of the file that was being edited. */
  version: Version;
  content: string;
}

const KEY = 'roundtrip-studio:unsaved-edits';

/** An edit that was saved to a separate file, because the original file had changed, or its encoding cannot hold the text. */
interface EditBeside {
  workspaceId: string;
  path: string;
  beside: string;
}

/** An edit in progress. */
interface OpenEdit {
  workspaceId: string;
  path: string;
  save(): Promise<void>;
  /** Like `save`, but also records in the history what the file cannot take because it has changed. */
  record(): Promise<void>;
}

/**
 * The edits that users type into files. They are kept from the first key until they are in the workspace, even if the page
 * closes.
 */
export class UnsavedEdits {
  /** Edits saved beside their file of which the user has not been told yet. */
  readonly beside: StoreApi<{ edits: readonly EditBeside[] }> = createStore(() => ({ edits: [] }));
  readonly #open = new Set<OpenEdit>();
  readonly #closed = new AbortController();

  /** Aborted when the studio is closed: whoever has open edits drops them. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Aborts `closed`. */
  close(): void {
    this.#closed.abort();
  }

  /** Registers an open edit that can be saved, until the returned function is called. */
  register(edit: OpenEdit): () => void {
    this.#open.add(edit);
    return () => this.#open.delete(edit);
  }

  /** Checks whether files of a workspace are being edited. */
  has(workspaceId: string): boolean {
    return this.#in(workspaceId).length > 0;
  }

  /** Saves open edits at or below a path of a workspace. */
  async saveUnder(workspaceId: string, path: string): Promise<void> {
    const edits = this.#in(workspaceId).filter((edit) => isWithin(edit.path, path));
    await Promise.all(edits.map(({ save }) => save()));
  }

  /** Records open edits of a workspace, so that the history has them whatever happens to the files. */
  async record(workspaceId: string): Promise<void> {
    await Promise.all(this.#in(workspaceId).map(({ record }) => record()));
  }

  /**
   * Stores edits synchronously, in `localStorage`, for when the page is closing and there is no time for the database. Leaves
   * out edits of temporary threads.
   */
  keep(edits: readonly UnsavedEdit[]): void {
    const kept = edits.filter(({ workspaceId }) => !isTemporary(workspaceId));
    if (kept.length === 0) return;
    try {
      localStorage.setItem(KEY, JSON.stringify([...storedEdits(), ...kept]));
    } catch {
      // More than the browser can store. Whatever was saved while typing is in the workspace.
    }
  }

  /** Writes the edits that the last page stored into their workspace. Those that cannot be written now stay stored. */
  async recover(workspaceId: string, fileSystem: FileSystem): Promise<void> {
    const edits = storedEdits().filter((edit) => edit.workspaceId === workspaceId);
    if (edits.length === 0) return;
    const recovered = new Set<string>();
    for (const edit of edits) {
      const isDone = await this.#write(fileSystem, edit).then(
        () => true,
        () => false,
      );
      if (isDone) recovered.add(JSON.stringify(edit));
    }
    // Remove them only now, so that the next page finds them again if this one closes while writing.
    const left = storedEdits().filter((edit) => !recovered.has(JSON.stringify(edit)));
    localStorage.removeItem(KEY);
    this.keep(left);
  }

  /**
   * Writes an edit into its file or, if the file has changed since or its encoding cannot hold the text, into a new file beside
   * it.
   */
  async #write(fileSystem: FileSystem, { workspaceId, path, version, content }: UnsavedEdit): Promise<void> {
    const { textFromBytes, TextFormError, UTF8, bytesFromText } = await import('#lib/vfs/text-form.ts');
    // If it is gone or cannot be read, its version below decides where the edit goes.
    const present = await fileSystem.readFile(path).catch(() => undefined);
    const written = present && (await textFromBytes(present));
    if (written?.text === content) return;
    const author = { type: 'person' } as const;
    try {
      const bytes = await bytesFromText(content, written?.form ?? UTF8);
      await fileSystem.transaction(author, async (tx) => tx.writeFile(path, bytes, { ifVersion: version }));
    } catch (error) {
      const isChanged = error instanceof FileSystemError && error.code === 'ESTALE';
      if (!isChanged && !(error instanceof TextFormError)) throw error;
      const beside = await fileSystem.transaction(author, async (tx) => {
        let free = `${path}.unsaved`;
        for (let count = 2; await exists(tx, free); count++) free = `${path}.unsaved-${count}`;
        tx.writeFile(free, new TextEncoder().encode(content));
        return free;
      });
      this.beside.setState(({ edits }) => ({ edits: [...edits, { workspaceId, path, beside }] }));
    }
  }

  #in(workspaceId: string): OpenEdit[] {
    return [...this.#open].filter((edit) => edit.workspaceId === workspaceId);
  }
}

function storedEdits(): UnsavedEdit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    // An earlier version had only one workspace and did not store its id.
    return Array.isArray(stored)
      ? stored.map((edit) => ({ workspaceId: FIRST_WORKSPACE, ...edit })).filter(isEdit)
      : [];
  } catch {
    // The browser refuses access, or the stored data is not from the studio.
    return [];
  }
}

const isEdit = (value: Partial<UnsavedEdit> | null): value is UnsavedEdit =>
  typeof value?.workspaceId === 'string' &&
  typeof value.path === 'string' &&
  typeof value.version === 'number' &&
  typeof value.content === 'string';

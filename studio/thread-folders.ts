import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ThreadStore } from '#lib/threads/thread-store.ts';

/** The prefix of the ids of folders, in the names of their settings. */
const PREFIX = 'thread-folder:';

/** The longest name of a folder, in characters. */
export const FOLDER_NAME_MAX = 100;

const nameSchema = z.string().transform((name) => name.trim().slice(0, FOLDER_NAME_MAX));

/** A folder as it is stored, in the setting with its id. */
const storedSchema = z.object({ name: nameSchema.catch(''), createdAt: z.number().catch(0) });

/** A folder of the list of threads. Threads name it by its id, so it can be renamed, and can be empty. */
export const threadFolderSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: nameSchema,
  createdAt: z.number(),
});

export type ThreadFolder = z.infer<typeof threadFolderSchema>;

/** The folders of the list of threads, the same in all tabs. All methods reject with `StorageError`. */
export class ThreadFolders {
  /** The folders, in the order of their names. */
  readonly state: StoreApi<{ folders: readonly ThreadFolder[] }> = createStore(() => ({ folders: [] }));
  readonly #store: ThreadStore;

  static async open(store: ThreadStore): Promise<ThreadFolders> {
    const folders = new ThreadFolders(store);
    await folders.#read();
    store.subscribe((change) => {
      // The folders stay as they were read last; the next change reads them again.
      if (change.type === 'settings') folders.#read().catch(() => undefined);
    });
    return folders;
  }

  private constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** Creates a folder. Resolves with its id. */
  async create(name: string): Promise<string> {
    const id = crypto.randomUUID();
    await this.#put({ id, name, createdAt: Date.now() });
    return id;
  }

  /** Renames a folder. Nothing happens if there is no such folder, or if the name is blank. */
  async rename(id: string, name: string): Promise<void> {
    const folder = this.state.getState().folders.find((one) => one.id === id);
    if (folder !== undefined && name.trim() !== '') await this.#put({ ...folder, name });
  }

  /** Deletes a folder. Threads that still have its id are then in no folder. */
  async remove(id: string): Promise<void> {
    await this.#store.deleteSetting(PREFIX + id);
    await this.#read();
  }

  /** Adds those folders of a backup that are not here. */
  async restore(folders: readonly ThreadFolder[]): Promise<void> {
    const present = new Set(this.state.getState().folders.map(({ id }) => id));
    await this.#put(...folders.filter(({ id }) => !present.has(id)));
  }

  async #put(...folders: readonly ThreadFolder[]): Promise<void> {
    if (folders.length === 0) return;
    const values = folders.map(({ id, ...folder }) => [PREFIX + id, storedSchema.parse(folder)] as const);
    await this.#store.putSettings(new Map(values));
    await this.#read();
  }

  async #read(): Promise<void> {
    const stored = await this.#store.settingsUnder(PREFIX);
    const folders = [...stored].map(([id, folder]) => ({ id, ...storedSchema.parse(folder) }));
    folders.sort((one, other) => one.name.localeCompare(other.name) || one.createdAt - other.createdAt);
    const before = this.state.getState().folders;
    // Settings change often, and the list of threads is drawn again with its folders.
    if (JSON.stringify(before) !== JSON.stringify(folders)) this.state.setState({ folders });
  }
}

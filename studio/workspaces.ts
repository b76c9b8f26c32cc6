import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { messageOf } from '#lib/base/message-of.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import { FIRST_WORKSPACE } from '#lib/threads/thread.ts';
import { ThreadFiles } from '#lib/threads/thread-files.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { WebMoveLock } from '#lib/threads/web-move-lock.ts';
import { filesBelow } from '#lib/vfs/files-below.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { deleteWorkspace, type OpeningDelay, openWorkspace, type Workspace } from '#lib/workspace/workspace.ts';
import type { LanguageServices } from './editing/language-services.ts';
import type { UnsavedEdits } from './editing/unsaved-edits.ts';
import type { FolderMemory, LocalFolder } from './local-folder/local-folder.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import type { Previews } from './previews.ts';

/** The number of idle workspaces that stay open; each has a worker and a mirror of its tree. */
const MAX_IDLE = 3;

/** The time in which a caller may begin to use a workspace that it has asked for, in milliseconds. */
const UNUSED_MS = 30_000;
/**
 * The number of workspaces that may be open because somebody has just asked for them: going through all of them must not open
 * all at once.
 */
const MAX_UNUSED = 12;

const CATALOG = 'workspace:';
const DRAFT = 'draft-workspace';
const FOLDER = 'folder:';

const infoSchema = z.object({
  /** The name that the user gave it. */
  name: z.string().nullable().catch(null),
  createdAt: z.number().catch(0),
});

export interface WorkspaceInfo extends z.infer<typeof infoSchema> {
  id: string;
}

/**
 * The tabs that keep a workspace from being opened: the titles of those that do not answer, as far as they are known.
 * `isOlder`: it is a tab with an older version of the studio instead.
 */
interface BlockingTabs {
  titles: readonly string[];
  isOlder: boolean;
}

export interface WorkspacesState {
  /** The workspaces that threads use or have used, oldest first. */
  list: readonly WorkspaceInfo[];
  /** The id of the workspace that will belong to the next new thread. */
  draftId: string;
  /** The workspace in the file pane; undefined while it is opening. */
  shown: OpenedWorkspace | undefined;
  /** The reason why the workspace of the file pane cannot be shown; undefined if there is none. */
  problem: string | undefined;
  /** The tabs that keep a workspace from being opened; undefined if none is known to. */
  waitsFor: BlockingTabs | undefined;
  /** Folders on the user's computer that are synced with workspaces, by workspace id. */
  folders: ReadonlyMap<string, LocalFolder>;
}

interface WorkspacesOptions {
  /** Whether all workspaces are in memory only, because the browser stores nothing. */
  isVolatile: boolean;
  previews: Pick<Previews, 'capabilityOf' | 'close'>;
  edits: UnsavedEdits;
  languageServices: LanguageServices;
}

/** The workspaces of this browser: which exist, which one is shown, and which are open. */
export class Workspaces {
  readonly state: StoreApi<WorkspacesState>;
  readonly #store: ThreadStore;
  readonly #options: WorkspacesOptions;
  /** The open workspaces by id, least recently requested first. */
  readonly #opened = new Map<string, Promise<OpenedWorkspace>>();
  /** The time at which each open workspace was last requested, in milliseconds since the epoch. */
  readonly #requestedAt = new Map<string, number>();
  #closing: ReturnType<typeof setTimeout> | undefined;
  #wanted: string | undefined;
  /** The ids of the workspaces whose opening takes long. */
  readonly #delayed = new Set<string>();

  /**
   * Reads the list of workspaces, adds those that threads use and that are not in it, and follows changes. Opens none of them.
   */
  static async open(store: ThreadStore, options: WorkspacesOptions): Promise<Workspaces> {
    const draft = await store.setting(DRAFT);
    const hasThreads = (await store.threads()).length > 0;
    const fresh = hasThreads ? crypto.randomUUID() : FIRST_WORKSPACE;
    const workspaces = new Workspaces(store, options, typeof draft === 'string' ? draft : fresh);
    if (typeof draft !== 'string') await store.putSetting(DRAFT, fresh);
    await workspaces.#read();
    await workspaces.addMissing();
    store.subscribe((change) => {
      // The list stays as it was read last; the next change reads it again.
      if (change.type === 'settings') workspaces.#read().catch(() => undefined);
    });
    return workspaces;
  }

  private constructor(store: ThreadStore, options: WorkspacesOptions, draftId: string) {
    this.#store = store;
    this.#options = options;
    this.state = createStore<WorkspacesState>(() => ({
      list: [],
      draftId,
      shown: undefined,
      problem: undefined,
      waitsFor: undefined,
      folders: new Map(),
    }));
  }

  /** Opens or creates a workspace. Rejects with `FileSystemError` if its worker cannot open it. */
  open(id: string): Promise<OpenedWorkspace> {
    const known = this.#opened.get(id);
    this.#opened.delete(id);
    const opening = known ?? this.#open(id);
    this.#opened.set(id, opening);
    this.#requestedAt.set(id, Date.now());
    if (known === undefined) {
      opening.then(
        () => this.#closeIdle(),
        () => this.#opened.delete(id),
      );
    }
    return opening;
  }

  /** Shows a workspace, opening it if necessary. Never rejects: if it cannot be opened, `problem` says why. */
  async show(id: string): Promise<void> {
    if (this.#wanted === id) return;
    this.#wanted = id;
    this.state.setState({ shown: undefined, problem: undefined });
    try {
      const shown = await this.open(id);
      if (this.#wanted === id) this.state.setState({ shown });
    } catch (error) {
      if (this.#wanted !== id) return;
      this.state.setState({ problem: messageOf(error) });
    }
  }

  /** Tries again to open the workspace to be shown. */
  async retry(): Promise<void> {
    const id = this.#wanted;
    this.#wanted = undefined;
    if (id !== undefined) await this.show(id);
  }

  /**
   * Called when the message box's draft has become a thread: the workspace that was shown beside the draft is now that thread's,
   * and the next draft gets a new one.
   */
  async takeDraft(): Promise<void> {
    const { draftId, list } = this.state.getState();
    const next = crypto.randomUUID();
    this.state.setState({ draftId: next });
    await this.#store.putSetting(DRAFT, next);
    const known = list.find(({ id }) => id === draftId);
    await this.add(known ?? { id: draftId, name: null, createdAt: Date.now() });
  }

  /** Adds a workspace to the stored list, or changes its entry. A temporary one is never in it. */
  async add({ id, ...info }: WorkspaceInfo): Promise<void> {
    if (isTemporary(id)) return;
    await this.#store.putSetting(CATALOG + id, info);
    await this.#read();
  }

  /** Adds workspaces to the stored list that threads use but earlier versions of the studio did not record. */
  async addMissing(): Promise<void> {
    const known = new Set(this.state.getState().list.map(({ id }) => id));
    for (const { workspaceId, createdAt } of await this.#store.threads()) {
      if (known.has(workspaceId)) continue;
      known.add(workspaceId);
      await this.add({ id: workspaceId, name: null, createdAt });
    }
  }

  /** Gives a workspace a name; a blank one removes it. */
  async rename(id: string, name: string): Promise<void> {
    const info = this.state.getState().list.find((workspace) => workspace.id === id);
    await this.add({ id, createdAt: info?.createdAt ?? Date.now(), name: name.trim() === '' ? null : name.trim() });
  }

  /**
   * Starts syncing a folder on the user's computer with a workspace, in both directions, in place of its earlier folder. The
   * browser asks the user for permission.
   */
  async joinFolder({ id, fileSystem }: OpenedWorkspace, handle: FileSystemDirectoryHandle): Promise<void> {
    await this.leaveFolder(id);
    if (!isTemporary(id)) await this.#store.putSetting(FOLDER + id, { handle });
    await (await this.#follow(id, handle, fileSystem, {})).start({ ask: true });
  }

  /** Stops syncing a workspace with its folder. Both keep their files. */
  async leaveFolder(id: string): Promise<void> {
    const folder = this.state.getState().folders.get(id);
    // First, so that no other tab goes on with it.
    await this.#store.deleteSetting(FOLDER + id);
    await folder?.close();
    this.#forgetFolder(id);
  }

  #forgetFolder(id: string): void {
    const folders = new Map(this.state.getState().folders);
    folders.delete(id);
    this.state.setState({ folders });
  }

  async #reopenFolder(id: string, { fileSystem }: Workspace): Promise<void> {
    const setting = await this.#store.setting(FOLDER + id);
    if (setting === undefined) return;
    const { parseFolder } = await import('./local-folder/local-folder.ts');
    const stored = parseFolder(setting);
    if (stored === undefined) return;
    const folder = await this.#follow(id, stored.handle, fileSystem, stored.memory);
    // The folder stays locked until the person resumes it.
    folder.start({ ask: false }).catch(() => undefined);
  }

  async #follow(
    workspaceId: string,
    handle: FileSystemDirectoryHandle,
    fileSystem: Workspace['fileSystem'],
    memory: FolderMemory,
  ): Promise<LocalFolder> {
    const { LocalFolder, storedMemory } = await import('./local-folder/local-folder.ts');
    const stored = isTemporary(workspaceId) ? undefined : storedMemory(this.#store, FOLDER + workspaceId, handle);
    const onLeft = () => this.#forgetFolder(workspaceId);
    const folder = new LocalFolder({ workspaceId, handle, fileSystem, memory, onLeft, ...stored });
    this.state.setState(({ folders }) => ({ folders: new Map(folders).set(workspaceId, folder) }));
    return folder;
  }

  /** Counts the files of a workspace; undefined if it cannot be read. */
  async countFiles(id: string): Promise<number | undefined> {
    try {
      const { fileSystem } = await this.open(id);
      let files = 0;
      for await (const _ of filesBelow(fileSystem, '/')) files++;
      return files;
    } catch {
      return undefined;
    }
  }

  /** Counts the earlier versions of files in all workspaces from before a point in time, in milliseconds since the epoch. */
  async countHistory(time: number): Promise<number> {
    let versions = 0;
    for await (const history of this.#histories()) versions += await history.countBefore(time);
    return versions;
  }

  /** Deletes the history of all workspaces before a point in time; the files stay as they are. */
  async forgetBefore(time: number): Promise<void> {
    for await (const history of this.#histories()) await history.forget(await history.pointBefore(time));
  }

  /** The history of each workspace in turn: only a few stay open, so each must be used before the next is opened. */
  async *#histories(): AsyncGenerator<WorkspaceHistory> {
    const { list, draftId } = this.state.getState();
    for (const id of new Set([...list.map((info) => info.id), draftId])) yield (await this.open(id)).history;
  }

  /** Deletes a workspace with its history, for good. */
  async remove(id: string): Promise<void> {
    await this.leaveFolder(id);
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    this.#requestedAt.delete(id);
    if (this.#wanted === id) this.#wanted = undefined;
    await this.#options.previews.close(id);
    // One that could not be opened has nothing to close.
    (await opened?.catch(() => undefined))?.close();
    if (!this.isVolatile(id)) await deleteWorkspace(databaseName(id));
    await this.#store.deleteSetting(CATALOG + id);
    await this.#read();
  }

  /** Closes all workspaces, as if the tab was closed. */
  async close(): Promise<void> {
    clearTimeout(this.#closing);
    const opened = [...this.#opened];
    this.#opened.clear();
    for (const folder of this.state.getState().folders.values()) await folder.close();
    for (const [id, opening] of opened) {
      await this.#options.previews.close(id);
      // One that could not be opened has nothing to close.
      (await opening.catch(() => undefined))?.close();
    }
  }

  /** Checks whether a workspace is in memory only. */
  isVolatile(id: string): boolean {
    return this.#options.isVolatile || isTemporary(id);
  }

  /**
   * Shows which tabs make opening a workspace take long; none if the machine is just slow. `delay`: undefined once it is open.
   */
  async #sayWhatBlocks(id: string, delay: OpeningDelay | undefined): Promise<void> {
    if (delay === undefined) {
      this.#delayed.delete(id);
      if (this.#delayed.size === 0) this.state.setState({ waitsFor: undefined });
      return;
    }
    this.#delayed.add(id);
    // The titles only help to find these tabs.
    const titles = await import('./page/tab-presence.ts').then(({ silentTabs }) => silentTabs()).catch(() => []);
    // A tab of this version makes room for a newer one, unless it cannot answer.
    const isOlder = delay === 'blocked' && titles.length === 0;
    if (this.#delayed.has(id) && (isOlder || titles.length > 0))
      this.state.setState({ waitsFor: { titles: titles.filter((title) => title !== ''), isOlder } });
  }

  async #open(id: string): Promise<OpenedWorkspace> {
    const onDelay = (delay: OpeningDelay | undefined) => void this.#sayWhatBlocks(id, delay);
    const workspace = await openWorkspace(databaseName(id), { isVolatile: this.isVolatile(id), onDelay });
    const { fileSystem, history, runner } = workspace;
    const { edits, languageServices, previews } = this.#options;
    await edits.recover(id, fileSystem);
    const diagnostics = languageServices.diagnosticsOf(() => this.open(id));
    const preview = previews.capabilityOf(id);
    const capabilities = { files: fileSystem, search: runner, shell: runner, diagnostics, preview };
    const saveEdits = () => edits.record(id);
    const onMove = () => this.state.getState().folders.get(id)?.pause('move');
    const files = new ThreadFiles({
      moveLock: new WebMoveLock(id),
      fileSystem,
      history,
      capabilities,
      saveEdits,
      onMove,
    });
    await this.#reopenFolder(id, workspace);
    return { ...workspace, id, files };
  }

  async #read(): Promise<void> {
    const [stored, draft] = await Promise.all([this.#store.settingsUnder(CATALOG), this.#store.setting(DRAFT)]);
    const list = [...stored].map(([id, info]) => ({ id, ...infoSchema.parse(info) }));
    list.sort((one, other) => one.createdAt - other.createdAt);
    this.state.setState({ list, ...(typeof draft === 'string' && { draftId: draft }) });
  }

  /**
   * Closes workspaces that nobody needs or has just asked for, least recently used first, until `MAX_IDLE` idle ones are left.
   */
  async #closeIdle(): Promise<void> {
    const { shown } = this.state.getState();
    // Workspaces that are in memory only would be lost if they were closed.
    const stored = [...this.#opened].filter(([id]) => !this.isVolatile(id));
    clearTimeout(this.#closing);
    let idle = stored.length - 1 - MAX_IDLE;
    if (idle <= 0) return;
    this.#closing = setTimeout(() => void this.#closeIdle(), UNUSED_MS);
    for (const [id, opening] of stored) {
      if (idle <= 0) return;
      const isNew = Date.now() - (this.#requestedAt.get(id) ?? 0) < UNUSED_MS;
      if (isNew && this.#opened.size <= MAX_UNUSED) continue;
      // One that could not be opened has nothing to close.
      const opened = await opening.catch(() => undefined);
      if (opened === undefined || opened === shown || id === this.#wanted || opened.files.isActive) continue;
      // Keep it open if it has edits waiting for the user.
      if (this.#options.edits.has(id) || this.state.getState().folders.has(id) || this.#opened.get(id) !== opening)
        continue;
      this.#opened.delete(id);
      this.#requestedAt.delete(id);
      idle--;
      void this.#options.previews.close(id);
      opened.close();
    }
  }
}

/**
 * The name of the browser database of a workspace. The first workspace has the name that earlier versions used for their only
 * one.
 */
export const databaseName = (id: string): string =>
  id === FIRST_WORKSPACE ? 'roundtrip-workspace' : `roundtrip-workspace:${id}`;

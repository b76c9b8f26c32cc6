import { createStore } from 'zustand/vanilla';
import { lazy } from '#lib/base/lazy.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import { laterTransport } from '#lib/threads/later-transport.ts';
import { SplitThreadStore } from '#lib/threads/split-thread-store.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Transport } from '#lib/threads/transport.ts';
import { Connections } from './connections/connections.ts';
import { EditorTabs } from './editing/editor-tabs.ts';
import { LanguageServices } from './editing/language-services.ts';
import { LiveWrites } from './editing/live-writes.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { FilePaneViews } from './file-pane.ts';
import { Imports } from './imports.ts';
import { ModelRecords } from './model-records.ts';
import { createModelsStore, type ModelsStore } from './models.ts';
import { Previews } from './previews.ts';
import type { Projects } from './project/projects.ts';
import { RestoreQuestions } from './restore-questions.ts';
import { SandboxSessions } from './sandbox-sessions.ts';
import { openSettings, type SettingsStore } from './settings.ts';
import { StorageMeter } from './storage-meter.ts';
import { endTemporaryThreads } from './temporary-threads.ts';
import { ThreadFolders } from './thread-folders.ts';
import { threadOptions } from './thread-options.ts';
import { Threads } from './threads.ts';
import { Tools } from './tools.ts';
import type { WorkspaceTree } from './workspace-tree.ts';
import { Workspaces } from './workspaces.ts';

/** The browser's composition root: everything the views need, created once per page. */
export interface Studio {
  store: ThreadStore;
  /** The reason why nothing outlives the page; undefined if storage is persistent. */
  volatile: string | undefined;
  tools: Tools;
  /** Loads `Projects`, which knows what workspaces tell the model, when it is first needed. */
  loadProjects(): Promise<Projects>;
  workspaces: Workspaces;
  /** The names of the shown workspace's files. */
  tree: WorkspaceTree;
  edits: UnsavedEdits;
  liveWrites: LiveWrites;
  languageServices: LanguageServices;
  tabs: EditorTabs;
  filePane: FilePaneViews;
  imports: Imports;
  moveQuestions: RestoreQuestions;
  storage: StorageMeter;
  sandbox: SandboxSessions;
  previews: Previews;
  transport: Transport;
  settings: SettingsStore;
  models: ModelsStore;
  /** The records of models: what people chose and found out about them. */
  modelRecords: ModelRecords;
  /** The person's own connections to providers and servers. */
  connections: Connections;
  threads: Threads;
  /** The folders of the list of threads. */
  threadFolders: ThreadFolders;
  /**
   * Ends all that the studio does in this page, as if the tab was closed: runs on the server continue. Nothing may use it
   * afterward.
   */
  close(): Promise<void>;
}

export const THREAD_PARAMETER = 'thread';

/** Opens the thread store. If the browser stores nothing, it is kept in memory, as temporary threads always are. */
async function openStore(): Promise<Pick<Studio, 'volatile'> & { store: SplitThreadStore }> {
  try {
    return { store: new SplitThreadStore(await IndexedDbThreadStore.open()), volatile: undefined };
  } catch (error) {
    const { MemoryThreadStore } = await import('#lib/threads/memory-thread-store.ts');
    await (await import('./page/page-locks.ts')).replaceDeniedLocks();
    const volatile = messageOf(error);
    return { store: new SplitThreadStore(new MemoryThreadStore()), volatile };
  }
}

/**
 * Creates all parts of the studio with their storage, opens the thread that the address names, and resumes what was in
 * progress.
 */
export async function openStudio(): Promise<Studio> {
  const { store, volatile } = await openStore();
  const settings = await openSettings(store);
  const isVolatile = volatile !== undefined;
  const tools = new Tools({
    store,
    isVolatile,
    vault: () => connections.keys(),
    onNewToolsets: (added) => {
      import('./sources/put-to-use.ts')
        .then(({ putToUse }) => putToUse({ settings, threads }, added))
        // Without its code, the person can still choose them.
        .catch(() => undefined);
    },
  });
  const sandbox = new SandboxSessions(tools);
  const previews = new Previews({
    loadSandbox: () => sandbox.load(),
    fileSystemOf: async (id) => (await workspaces.open(id)).fileSystem,
  });
  const editing = { edits: new UnsavedEdits(), languageServices: new LanguageServices() };
  const workspaces = await Workspaces.open(store, { isVolatile, previews, ...editing });
  const tabs = new EditorTabs();
  const loadProjects = lazy(async () => {
    const { openProjects } = await import('./project/open-projects.ts');
    return openProjects({ store, tools, workspaces, settings, tabs });
  });
  const moveQuestions = new RestoreQuestions();
  const storage = new StorageMeter();
  const connections = await Connections.open(store, async () =>
    (await import('#lib/keys/key-vault.ts')).KeyVault.open(),
  );
  const modelRecords = await ModelRecords.open(store);
  const threadFolders = await ThreadFolders.open(store);
  const models = createModelsStore(connections, modelRecords);
  const firstLook = models.refresh();
  const transport = laterTransport(async () => {
    const { createTransport } = await import('./create-transport.ts');
    return createTransport({ store, tools, settings, connections, models, modelRecords, firstLook });
  });
  const parts = {
    store,
    transport,
    tools,
    settings,
    models,
    firstLook,
    workspaces,
    sandbox,
    moveQuestions,
    loadProjects,
  };
  const { toolCalling, toolsets } = settings.getState();
  const threads = new Threads(threadOptions(parts), { model: null, toolCalling, toolsets, systemPrompt: null });
  followSettings(settings, threads);
  const forgetTemporaryThreads = endTemporaryThreads(threads.state, transport);
  await threads.open(new URLSearchParams(location.search).get(THREAD_PARAMETER));
  followOpenThread({ threads, workspaces, moveQuestions });
  storage.follow(workspaces);
  return {
    store,
    volatile,
    tools,
    loadProjects,
    workspaces,
    ...editing,
    tree: createStore(() => ({ workspaceId: undefined, items: undefined })),
    liveWrites: new LiveWrites(),
    tabs,
    filePane: new FilePaneViews(),
    imports: new Imports(),
    moveQuestions,
    storage,
    sandbox,
    previews,
    transport,
    settings,
    models,
    modelRecords,
    connections,
    threads,
    threadFolders,
    async close() {
      storage.close();
      forgetTemporaryThreads();
      editing.edits.close();
      moveQuestions.close();
      const { threads: all } = threads.state.getState();
      await threads.close();
      await Promise.all(all.map(({ id }) => sandbox.close(id)));
      await workspaces.close();
      store.close();
      await tools.close();
    },
  };
}

/** Applies changes of the default toolsets and the default tool calling to the next new thread. */
function followSettings(settings: SettingsStore, threads: Threads): void {
  settings.subscribe((now, before) => {
    const { toolCalling, toolsets } = now;
    if (toolCalling === before.toolCalling && toolsets.join() === before.toolsets.join()) return;
    // The person's other choices for the next thread stay.
    const added = toolsets.filter((one) => !before.toolsets.includes(one));
    const removed = before.toolsets.filter((one) => !toolsets.includes(one));
    threads.state.setState(({ draft }) => {
      const kept = draft.toolsets.filter((one) => !removed.includes(one));
      return { draft: { ...draft, toolCalling, toolsets: [...new Set([...kept, ...added])] } };
    });
  });
}

/** Shows the files of the open thread. */
function followOpenThread({
  threads,
  workspaces,
  moveQuestions,
}: Pick<Studio, 'threads' | 'workspaces' | 'moveQuestions'>): void {
  const showFiles = () => void workspaces.show(threads.workspaceId);
  showFiles();
  threads.state.subscribe((state, before) => {
    showFiles();
    if (state.selectedId !== before.selectedId) moveQuestions.hideMoved();
  });
  workspaces.state.subscribe(showFiles);
}

import { createStore } from 'zustand/vanilla';
import { messageOf } from '#lib/base/message-of.ts';
import { IndexedDbThreadStore } from '#lib/threads/indexeddb-thread-store.ts';
import { laterTransport } from '#lib/threads/later-transport.ts';
import { SplitThreadStore } from '#lib/threads/split-thread-store.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Transport } from '#lib/threads/transport.ts';
import { WebThreadLock } from '#lib/threads/web-thread-lock.ts';
import { toolsetOf } from '#lib/tools/toolset-names.ts';
import { Connections } from './connections/connections.ts';
import { learningTransport } from './connections/learning-transport.ts';
import { EditorTabs } from './editing/editor-tabs.ts';
import { LanguageServices } from './editing/language-services.ts';
import { LiveWrites } from './editing/live-writes.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { FilePaneViews } from './file-pane.ts';
import { Imports } from './imports.ts';
import { ModelRecords } from './model-records.ts';
import { createModelsStore, findModel, type ModelsStore } from './models.ts';
import { MoveQuestions } from './move-questions.ts';
import { Previews } from './previews.ts';
import type { Projects } from './project/projects.ts';
import { SandboxSessions } from './sandbox-sessions.ts';
import { allowedHostAt, openSettings, policySource, type SettingsStore, withHosts, withPolicy } from './settings.ts';
import { StorageMeter } from './storage-meter.ts';
import { endTemporaryThreads } from './temporary-threads.ts';
import { ThreadFolders } from './thread-folders.ts';
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
  moveQuestions: MoveQuestions;
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

/** Opens storage and resumes what was in progress. */
export async function openStudio(): Promise<Studio> {
  const { store, volatile } = await openStore();
  const settings = await openSettings(store);
  const tools = new Tools({
    store,
    isVolatile: volatile !== undefined,
    vault: () => connections.keys(),
    onNewServers: (names) => {
      import('./sources/put-to-use.ts')
        .then(({ putToUse }) => putToUse({ settings, threads }, names.map(toolsetOf)))
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
  const workspaces = await Workspaces.open(store, { isVolatile: volatile !== undefined, previews, ...editing });
  const tabs = new EditorTabs();
  let projects: Promise<Projects> | undefined;
  const loadProjects = (): Promise<Projects> => {
    projects ??= import('./project/open-projects.ts').then(({ openProjects }) =>
      openProjects({ store, tools, workspaces, settings, tabs }),
    );
    // The next use tries again.
    projects.catch(() => {
      projects = undefined;
    });
    return projects;
  };
  const moveQuestions = new MoveQuestions();
  const storage = new StorageMeter();
  const connections = await Connections.open(store, async () =>
    (await import('#lib/keys/key-vault.ts')).KeyVault.open(),
  );
  const modelRecords = await ModelRecords.open(store);
  const threadFolders = await ThreadFolders.open(store);
  const models = createModelsStore(connections, modelRecords);
  const firstLook = models.refresh();
  const plainTransport = learningTransport(
    laterTransport(async () => {
      const { createHttpTransport } = await import('#lib/threads/http-transport.ts');
      return createHttpTransport(
        (name) => tools.catalogueText(name),
        async (id) => {
          const personal = await connections.modelOf(id);
          // The name of its endpoint is known once the server has answered.
          if (personal === undefined && models.getState().list === undefined) await firstLook;
          const endpoint = personal === undefined ? findModel(models.getState(), id)?.endpoint : id;
          return { ...personal, use: endpoint === undefined ? undefined : modelRecords.knownUseOf(endpoint) };
        },
      );
    }),
    {
      refusal(id) {
        void connections.learn(id, true);
        const endpoint = findModel(models.getState(), id)?.endpoint;
        // If this one cannot be stored, the next one is.
        if (endpoint !== undefined) modelRecords.noteRefusal(endpoint).catch(() => undefined);
      },
      window(id, { window: contextSize, claimed }) {
        const endpoint = findModel(models.getState(), id)?.endpoint;
        // If this one cannot be stored, the next one is.
        if (endpoint !== undefined) modelRecords.noteWindow(endpoint, { contextSize, claimed }).catch(() => undefined);
      },
    },
  );
  const transport: Transport = {
    ...plainTransport,
    // Only the tab that acts for a thread acknowledges its runs, once a turn has ended and is stored.
    async acknowledge(threadId, runId) {
      await plainTransport.acknowledge(threadId, runId);
      const { titleModel: model } = settings.getState();
      if (model === null) return;
      import('./titles.ts')
        .then(({ nameThread }) => nameThread(threadId, { store, connections, model }))
        // The thread keeps the name that it has.
        .catch(() => undefined);
    },
  };
  const { toolCalling, toolsets } = settings.getState();
  const draft = { model: null, toolCalling, toolsets, systemPrompt: null };
  const threads = new Threads(
    {
      store,
      storeOf: (threadId) => store.of(threadId),
      transport,
      createLock: (threadId, host) => new WebThreadLock(threadId, host),
      loadTools: () => tools.load(),
      async catalogue({ workspaceId, turnId }) {
        // If it cannot be read, the answer does without it.
        const project = await loadProjects()
          .then((loaded) => loaded.forTurn(turnId, workspaceId))
          .catch(() => undefined);
        return tools.catalogue(workspaceId, project);
      },
      async loadProjectTools(workspaceId) {
        // If it cannot be read, its tools are those that are known already.
        await loadProjects()
          .then((loaded) => loaded.loadTools(workspaceId))
          .catch(() => undefined);
        return tools.projectToolsOf(workspaceId);
      },
      evaluatorOf: (threadId) => sandbox.evaluatorOf(threadId),
      workspaces,
      onDeleted(threadId) {
        void sandbox.close(threadId);
        // If it fails, its requests go when newer ones take their place.
        tools
          .egress()
          .then((egress) => egress.forget(threadId))
          .catch(() => undefined);
      },
      openFiles: async (id) => (await workspaces.open(id)).files,
      askMove: (question) => moveQuestions.ask(question),
      onUnknownFiles: () => moveQuestions.showUnknown(),
      permissions: () => settings.getState().permissions,
      pathRules: () => settings.getState().pathRules,
      policySetAt: (tool) => policySource(settings.getState(), tool)?.at,
      isKnown: (tool) => tools.isKnown(tool),
      remember: (tool, scope) => tools.remember(tool, scope),
      hostAllowedAt: (tool, host) => allowedHostAt(settings.getState(), tool, host),
      async allowHosts(tool, hosts, { id, title }) {
        const call = isTemporary(id) ? undefined : { threadId: id, threadTitle: title, toolName: tool.name };
        await settings.change(withHosts(settings.getState(), tool, hosts, call));
      },
      async allowAlways(tool, { id, title }) {
        // A setting outlives a temporary thread, whose title is not stored.
        const call = isTemporary(id) ? undefined : { threadId: id, threadTitle: title, toolName: tool.name };
        await settings.change(withPolicy(settings.getState(), tool, 'allow', call));
      },
      async defaults() {
        await firstLook;
        // The user may have set up the first model in the meantime: look again before a retry.
        if (models.getState().list?.models.length === 0) await models.refresh();
        const { defaultModel, systemPrompt, summaryModel } = settings.getState();
        const model = defaultModel ?? models.getState().list?.defaultModel ?? null;
        return { model, systemPrompt, summaryModel };
      },
    },
    draft,
  );
  settings.subscribe((now, before) => {
    const { toolCalling, toolsets } = now;
    if (toolCalling === before.toolCalling && toolsets.join() === before.toolsets.join()) return;
    // The person's other choices for the next thread stay.
    const added = toolsets.filter((one) => !before.toolsets.includes(one));
    const removed = before.toolsets.filter((one) => !toolsets.includes(one));
    threads.state.setState(({ draft: own }) => {
      const kept = own.toolsets.filter((one) => !removed.includes(one));
      return { draft: { ...own, toolCalling, toolsets: [...new Set([...kept, ...added])] } };
    });
  });
  const forgetTemporaryThreads = endTemporaryThreads(threads.state, transport);
  await threads.open(new URLSearchParams(location.search).get(THREAD_PARAMETER));
  const showFiles = () => void workspaces.show(threads.workspaceId);
  showFiles();
  threads.state.subscribe((state, before) => {
    showFiles();
    if (state.selectedId !== before.selectedId) moveQuestions.hideMoved();
  });
  workspaces.state.subscribe(showFiles);
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

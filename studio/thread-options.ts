import type { SplitThreadStore } from '#lib/threads/split-thread-store.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { Transport } from '#lib/threads/transport.ts';
import { WebThreadLock } from '#lib/threads/web-thread-lock.ts';
import type { ModelsStore } from './models.ts';
import type { Projects } from './project/projects.ts';
import type { RestoreQuestions } from './restore-questions.ts';
import type { SandboxSessions } from './sandbox-sessions.ts';
import {
  allowedHostAt,
  type PermissionSource,
  policySource,
  type SettingsStore,
  withHosts,
  withPolicy,
} from './settings.ts';
import type { ThreadsOptions } from './threads.ts';
import type { Tools } from './tools.ts';
import type { Workspaces } from './workspaces.ts';

/** The parts of the studio that threads need. */
interface ThreadParts {
  store: SplitThreadStore;
  transport: Transport;
  tools: Tools;
  settings: SettingsStore;
  models: ModelsStore;
  /** Resolves when the server's models have been asked for once. */
  firstLook: Promise<void>;
  workspaces: Workspaces;
  sandbox: SandboxSessions;
  moveQuestions: RestoreQuestions;
  loadProjects(): Promise<Projects>;
}

/**
 * Makes the options of `Threads` from other parts of the studio: functions by which threads store messages, use files, offer
 * tools, and read and store permissions.
 */
export const threadOptions = (parts: ThreadParts): ThreadsOptions => ({
  ...storageOf(parts),
  ...toolsOf(parts),
  ...permissionsOf(parts),
  transport: parts.transport,
  createLock: (threadId, host) => new WebThreadLock(threadId, host),
  async defaults() {
    const { settings, models, firstLook } = parts;
    await firstLook;
    // The user may have set up the first model in the meantime: look again before a retry.
    if (models.getState().list?.models.length === 0) await models.refresh();
    const { defaultModel, systemPrompt, summaryModel } = settings.getState();
    const model = defaultModel ?? models.getState().list?.defaultModel ?? null;
    return { model, systemPrompt, summaryModel };
  },
});

type Storage = 'store' | 'storeOf' | 'workspaces' | 'openFiles' | 'askMove' | 'onUnknownFiles' | 'onDeleted';

/** Makes the options with which threads store messages and files, and ask before files move. */
const storageOf = ({
  store,
  workspaces,
  moveQuestions,
  sandbox,
  tools,
}: ThreadParts): Pick<ThreadsOptions, Storage> => ({
  store,
  workspaces,
  storeOf: (threadId) => store.of(threadId),
  openFiles: async (id) => (await workspaces.open(id)).files,
  askMove: (question) => moveQuestions.ask(question),
  onUnknownFiles: () => moveQuestions.showUnknown(),
  onDeleted(threadId) {
    void sandbox.close(threadId);
    // If it fails, its requests go when newer ones take their place.
    tools
      .egress()
      .then((egress) => egress.forget(threadId))
      .catch(() => undefined);
  },
});

type Tooling = 'loadTools' | 'loadProjectTools' | 'catalogue' | 'evaluatorOf';

/**
 * Makes the options with which threads offer tools, and run code. What a workspace tells the model is left out if it cannot be
 * read.
 */
const toolsOf = ({ tools, sandbox, loadProjects }: ThreadParts): Pick<ThreadsOptions, Tooling> => ({
  loadTools: () => tools.load(),
  async loadProjectTools(workspaceId) {
    // Then its tools are those that are known already.
    await loadProjects()
      .then((loaded) => loaded.loadTools(workspaceId))
      .catch(() => undefined);
    return tools.projectToolsOf(workspaceId);
  },
  async catalogue({ workspaceId, turnId }) {
    // Then the answer does without it.
    const project = await loadProjects()
      .then((loaded) => loaded.forTurn(turnId, workspaceId))
      .catch(() => undefined);
    return tools.catalogue(workspaceId, project);
  },
  evaluatorOf: (threadId) => sandbox.evaluatorOf(threadId),
});

type Permissions =
  | ('permissions' | 'pathRules' | 'policySetAt' | 'isKnown' | 'remember')
  | ('hostAllowedAt' | 'allowHosts' | 'allowAlways');

/** Makes the options with which threads read and store what the user has allowed. */
const permissionsOf = ({ settings, tools }: ThreadParts): Pick<ThreadsOptions, Permissions> => ({
  permissions: () => settings.getState().permissions,
  pathRules: () => settings.getState().pathRules,
  policySetAt: (tool) => policySource(settings.getState(), tool)?.at,
  isKnown: (tool) => tools.isKnown(tool),
  remember: (tool, scope) => tools.remember(tool, scope),
  hostAllowedAt: (tool, host) => allowedHostAt(settings.getState(), tool, host),
  allowHosts: (tool, hosts, thread) =>
    settings.change(withHosts(settings.getState(), tool, hosts, sourceOf(thread, tool.name))),
  allowAlways: (tool, thread) =>
    settings.change(withPolicy(settings.getState(), tool, 'allow', sourceOf(thread, tool.name))),
});

/**
 * The call that a setting comes from. Undefined in a temporary thread: the setting outlives the thread, whose title is not
 * stored.
 */
const sourceOf = ({ id, title }: Pick<Thread, 'id' | 'title'>, toolName: string): PermissionSource['call'] =>
  isTemporary(id) ? undefined : { threadId: id, threadTitle: title, toolName };

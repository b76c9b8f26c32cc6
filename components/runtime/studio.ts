import { createSandbox } from '#lib/sandbox/sandbox.ts';
import { ThreadStore } from '#lib/threads/thread-store.ts';
import { createTransport, type Transport } from '#lib/threads/transport.ts';
import type { ToolCapabilities } from '#lib/tools/tool.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { WorkspaceHistory } from '#lib/vfs/history.ts';
import { openWorkspace } from '#lib/workspace/workspace.ts';
import { createModelsStore, type ModelsStore } from './models.ts';
import { openSettings, type SettingsStore } from './settings.ts';
import { Threads } from './threads.ts';
import { loadTools } from './tools.ts';
import { recoverUnsavedEdits } from './unsaved-edits.ts';
import { seedWorkspace } from './workspace-seed.ts';

/** The browser's composition root: everything the views work with, made once per page. */
export interface Studio {
  store: ThreadStore;
  fileSystem: FileSystem;
  history: WorkspaceHistory;
  capabilities: ToolCapabilities;
  transport: Transport;
  settings: SettingsStore;
  models: ModelsStore;
  threads: Threads;
}

export const THREAD_PARAMETER = 'thread';
const WORKSPACE_NAME = 'roundtrip-workspace';

/** Opens storage and workspace and takes up what was going on. Rejects when this browser offers no storage. */
export async function openStudio(): Promise<Studio> {
  const [store, workspace] = await Promise.all([ThreadStore.open(), openWorkspace(WORKSPACE_NAME)]);
  const { fileSystem, history, runner, problem } = workspace;
  // Files that are in memory only would be gone with the page.
  if (problem !== undefined) throw new Error(problem);
  const settings = await openSettings(store);
  await seedWorkspace(store, fileSystem);
  await recoverUnsavedEdits(fileSystem);
  const models = createModelsStore();
  const firstLook = models.refresh();
  const transport = createTransport();
  const { toolCalling, toolsets } = settings.getState();
  const draft = { model: null, toolCalling, toolsets, systemPrompt: null };
  const capabilities = { fileSystem, evaluator: createSandbox(), search: runner, shell: runner };
  const threads = new Threads(
    {
      store,
      transport,
      loadTools,
      capabilities,
      async hasCommitted(toolCallId) {
        await fileSystem.refresh();
        return (await history.pointAfter(toolCallId)) !== undefined;
      },
      permissions: () => settings.getState().permissions,
      async allowAlways({ toolset, effect }) {
        const { permissions } = settings.getState();
        await settings.change({
          permissions: { ...permissions, [toolset]: { ...permissions[toolset], [effect]: 'allow' } },
        });
      },
      async defaults() {
        await firstLook;
        // The person may have got the first model since: a retry finds it.
        if (models.getState().list?.models.length === 0) await models.refresh();
        const { defaultModel, systemPrompt } = settings.getState();
        return { model: defaultModel ?? models.getState().list?.defaultModel ?? null, systemPrompt };
      },
    },
    draft,
  );
  await threads.open(new URLSearchParams(location.search).get(THREAD_PARAMETER));
  return { store, fileSystem, history, capabilities, transport, settings, models, threads };
}

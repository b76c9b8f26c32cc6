import { createHttpTransport } from '#lib/threads/http-transport.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Transport } from '#lib/threads/transport.ts';
import type { Connections } from './connections/connections.ts';
import { learningTransport } from './connections/learning-transport.ts';
import type { ModelRecords } from './model-records.ts';
import { findModel, type ModelsStore } from './models.ts';
import type { SettingsStore } from './settings.ts';
import type { Tools } from './tools.ts';

/** The parts of the studio that its connection to the server needs. */
interface TransportParts {
  store: ThreadStore;
  tools: Pick<Tools, 'catalogueText'>;
  settings: SettingsStore;
  connections: Connections;
  models: ModelsStore;
  modelRecords: ModelRecords;
  /** Resolves when the server's models have been asked for once. */
  firstLook: Promise<void>;
}

/**
 * Makes the `Transport` by which threads talk to the studio's server. It adds to requests the person's own connection, if the
 * model is one of it, and what this browser knows of the model. It records what runs show about models, and lets a model name
 * threads after their first answer. `firstLook`: resolves when the server's models have been asked for once.
 */
export function createTransport({
  store,
  tools,
  settings,
  connections,
  models,
  modelRecords,
  firstLook,
}: TransportParts): Transport {
  const endpointOf = (id: string) => findModel(models.getState(), id)?.endpoint;
  const http = createHttpTransport(
    (name) => tools.catalogueText(name),
    async (id) => {
      const personal = await connections.modelOf(id);
      // The name of its endpoint is known once the server has answered.
      if (personal === undefined && models.getState().list === undefined) await firstLook;
      const endpoint = personal === undefined ? endpointOf(id) : id;
      return { ...personal, use: endpoint === undefined ? undefined : modelRecords.knownUseOf(endpoint) };
    },
  );
  const learning = learningTransport(http, {
    refusal(id) {
      void connections.learn(id, true);
      const endpoint = endpointOf(id);
      // If this one cannot be stored, the next one is.
      if (endpoint !== undefined) modelRecords.noteRefusal(endpoint).catch(() => undefined);
    },
    window(id, { window: contextSize, claimed }) {
      const endpoint = endpointOf(id);
      // If this one cannot be stored, the next one is.
      if (endpoint !== undefined) modelRecords.noteWindow(endpoint, { contextSize, claimed }).catch(() => undefined);
    },
  });
  let naming = new AbortController();
  const isNamer = (id: string) => findModel(models.getState(), id)?.demo === false;
  return {
    ...learning,
    post(...request) {
      // Some servers answer one request after the other, so a title would delay the answer.
      naming.abort();
      naming = new AbortController();
      return learning.post(...request);
    },
    // Only the tab that acts for a thread acknowledges its runs, once a turn has ended and is stored.
    async acknowledge(threadId, runId) {
      // The next message aborts the title, even if it is sent before this run is acknowledged.
      const { signal } = naming;
      await http.acknowledge(threadId, runId);
      const { namesThreads, titleModel: model } = settings.getState();
      if (!namesThreads) return;
      import('./titles.ts')
        .then(({ nameThread }) => nameThread(threadId, { store, connections, model, isNamer, signal }))
        // The thread keeps the name that it has.
        .catch(() => undefined);
    },
  };
}

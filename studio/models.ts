import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { describeUse, withObserved } from '#lib/model-use/resolve-use.ts';
import { serverFetch } from '#lib/threads/server-fetch.ts';
import { type ModelInfo, type ModelList, modelListSchema } from '#lib/wire/models.ts';
import { type ConnectedModel, type Connection, learnedToolCalling, personalModelId } from './connections/connection.ts';
import type { Connections } from './connections/connections.ts';
import { knownUse, type ModelRecords } from './model-records.ts';

type ProfileOf = typeof import('#lib/model-use/profiles.ts').profileOf;

export interface ModelsState {
  /** The server's models, and those of the person's connections; undefined until the server has first answered. */
  list: ModelList | undefined;
  loading: boolean;
  /** The reason why the latest request failed. */
  error: string | undefined;
}

export interface ModelsStore extends StoreApi<ModelsState> {
  /** Asks the server again; if that fails, the current list is kept. */
  refresh(): Promise<void>;
  /** Lets `auto` ask a model's endpoint for native tools again. Stores the reason of a failure, like `refresh`. */
  forgetRefusal(id: string): Promise<void>;
}

export function createModelsStore(
  connections: Pick<Connections, 'state' | 'learn' | 'configOf'>,
  records: Pick<ModelRecords, 'state' | 'of'>,
): ModelsStore {
  const { state: personal } = connections;
  const store = createStore<ModelsState>(() => ({ list: undefined, loading: false, error: undefined }));
  let ofServer: ModelList | undefined;
  let profileOf: ProfileOf | undefined;
  const show = () => {
    if (ofServer === undefined) return;
    const { connections: own } = personal.getState();
    if (own.length > 0 && profileOf === undefined) loadProfiles();
    const list = withPersonal(ofServer, own, profileOf);
    store.setState({ list: { ...list, models: list.models.map((model) => withRecord(model, records)) } });
  };
  // Only shown: the server decides by the same table.
  const loadProfiles = () => {
    profileOf = () => undefined;
    import('#lib/model-use/profiles.ts').then(
      (loaded) => {
        profileOf = loaded.profileOf;
        show();
      },
      () => {
        profileOf = undefined;
      },
    );
  };
  personal.subscribe(show);
  records.state.subscribe(show);
  const fail = (error: unknown) => store.setState({ loading: false, error: messageOf(error) });
  const refresh = async () => {
    store.setState({ loading: true });
    try {
      const response = await serverFetch('/api/models', {});
      ofServer = modelListSchema.parse(await response.json());
      show();
      store.setState({ loading: false, error: undefined });
    } catch (error) {
      fail(error);
    }
  };
  return {
    ...store,
    refresh,
    async forgetRefusal(id) {
      if (connections.configOf(id) !== undefined) return connections.learn(id, false);
      try {
        await serverFetch(`/api/models/refusals?model=${encodeURIComponent(id)}`, { method: 'DELETE' });
        await refresh();
      } catch (error) {
        fail(error);
      }
    },
  };
}

/**
 * The models on offer: the person's own ones first, because they were set up on purpose. If the server has only the demo, the
 * first of them is the default.
 */
function withPersonal(
  list: ModelList,
  connections: readonly Connection[],
  profileOf: ProfileOf | undefined,
): ModelList {
  const own = connections.flatMap((connection) =>
    connection.models.filter(({ isShown }) => isShown).map((model) => toModelInfo(connection, model, profileOf)),
  );
  const isOnlyDemo = list.models.every(({ demo }) => demo);
  return {
    ...list,
    models: [...own, ...list.models],
    defaultModel: (isOnlyDemo ? own[0]?.id : undefined) ?? list.defaultModel,
  };
}

function toModelInfo(connection: Connection, entry: ConnectedModel, profileOf: ProfileOf | undefined): ModelInfo {
  const { provider, baseURL } = connection;
  const { model, name, ...known } = entry;
  const id = personalModelId(connection, model);
  const toolCalling = learnedToolCalling(entry);
  const profile = profileOf?.({ provider, model, baseURL });
  return {
    id,
    name: name ?? model,
    model,
    provider,
    providerLabel: connection.name,
    // A connection's address never changes.
    endpoint: id,
    ...describeUse({
      learned: {
        ...defined({ toolCalling, contextSize: known.contextSize }),
      },
      ...defined({ profile }),
    }),
    toolsRefused: known.hasRefusedTools === true,
    vision: known.vision ?? null,
    parameters: {},
    demo: false,
  };
}

/** Returns a model with the settings from its record: those that the person chose, and those that were found out. */
function withRecord(model: ModelInfo, records: Pick<ModelRecords, 'of'>): ModelInfo {
  const known = knownUse(records.of(model.endpoint));
  if (known === undefined) return model;
  const { observed, ...layers } = known;
  return { ...model, ...describeUse(withObserved({ ...model.use, ...layers }, observed)) };
}

/**
 * Returns a name for a model that is not in the list any more: its id, without the id of its connection, which says nothing
 * to people.
 */
export const nameOfGone = (id: string): string => id.replace(/^personal-[^/]*\//, '');

/** Finds the model with this id in the list; undefined if it is not there. */
export function findModel(state: ModelsState, id: string | null): ModelInfo | undefined {
  return state.list?.models.find((model) => model.id === id);
}

/** Returns the name of a model; for the demo, the only one whose name is translated, `demoName`. */
export const modelName = ({ name, demo }: Pick<ModelInfo, 'name' | 'demo'>, demoName: string): string =>
  demo ? demoName : name;

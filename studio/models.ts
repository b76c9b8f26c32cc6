import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ModelInfo, type ModelList, modelListSchema } from '#lib/api/models.ts';
import { send } from '#lib/threads/http-transport.ts';
import { type ConnectedModel, type Connection, personalModelId } from './connections/connection.ts';
import type { Connections } from './connections/connections.ts';

export interface ModelsState {
  /** The server's models, and those of the person's connections; undefined until the server has first answered. */
  list: ModelList | undefined;
  loading: boolean;
  /** Why the latest request failed. */
  error: string | undefined;
}

export interface ModelsStore extends StoreApi<ModelsState> {
  /** Asks the server again; if that fails, the current list is kept. */
  refresh(): Promise<void>;
  /** Lets `auto` ask a model's endpoint for native tools again. Stores the reason of a failure, like `refresh`. */
  forgetRefusal(id: string): Promise<void>;
}

export function createModelsStore(connections: Pick<Connections, 'state' | 'learn' | 'configOf'>): ModelsStore {
  const { state: personal } = connections;
  const store = createStore<ModelsState>(() => ({ list: undefined, loading: false, error: undefined }));
  let ofServer: ModelList | undefined;
  const show = () => {
    if (ofServer !== undefined) store.setState({ list: withPersonal(ofServer, personal.getState().connections) });
  };
  personal.subscribe(show);
  const fail = (error: unknown) =>
    store.setState({ loading: false, error: error instanceof Error ? error.message : String(error) });
  const refresh = async () => {
    store.setState({ loading: true });
    try {
      const response = await send('/api/models', {});
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
        await send(`/api/models/refusals?model=${encodeURIComponent(id)}`, { method: 'DELETE' });
        await refresh();
      } catch (error) {
        fail(error);
      }
    },
  };
}

/** The models on offer: the person's own ones first, because they were set up on purpose. */
function withPersonal(list: ModelList, connections: readonly Connection[]): ModelList {
  const own = connections.flatMap((connection) =>
    connection.models.filter(({ isShown }) => isShown).map((model) => toModelInfo(connection, model)),
  );
  const isOnlyDemo = list.models.every(({ demo }) => demo);
  return {
    ...list,
    models: [...own, ...list.models],
    defaultModel: (isOnlyDemo ? own[0]?.id : undefined) ?? list.defaultModel,
  };
}

function toModelInfo(connection: Connection, { model, name, nativeTools, ...known }: ConnectedModel): ModelInfo {
  const { choices = {}, hasRefusedTools = false } = known;
  const toolCalling = choices.toolCalling ?? (nativeTools === false ? 'prompted' : 'auto');
  return {
    id: personalModelId(connection, model),
    name: name ?? model,
    model,
    provider: connection.provider,
    providerLabel: connection.name,
    toolCalling,
    effectiveToolCalling: toolCalling === 'auto' ? (hasRefusedTools ? 'prompted' : 'native') : toolCalling,
    toolsRefused: hasRefusedTools,
    contextSize: choices.contextSize ?? known.contextSize ?? null,
    vision: choices.vision ?? known.vision ?? null,
    parameters: {
      ...(choices.temperature !== undefined && { temperature: choices.temperature }),
      ...(choices.maxOutputTokens !== undefined && { maxOutputTokens: choices.maxOutputTokens }),
      ...(choices.reasoning?.effort !== undefined && { effort: choices.reasoning.effort }),
    },
    demo: false,
  };
}

/** The model with that id, if it is in the list. */
export function findModel(state: ModelsState, id: string | null): ModelInfo | undefined {
  return state.list?.models.find((model) => model.id === id);
}

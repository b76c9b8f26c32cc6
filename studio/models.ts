import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ModelInfo, type ModelList, modelListSchema } from '#lib/api/models.ts';
import { send } from '#lib/threads/http-transport.ts';

export interface ModelsState {
  /** Undefined until the server has answered for the first time. */
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

export function createModelsStore(): ModelsStore {
  const store = createStore<ModelsState>(() => ({ list: undefined, loading: false, error: undefined }));
  const fail = (error: unknown) =>
    store.setState({ loading: false, error: error instanceof Error ? error.message : String(error) });
  const refresh = async () => {
    store.setState({ loading: true });
    try {
      const response = await send('/api/models', {});
      store.setState({ list: modelListSchema.parse(await response.json()), loading: false, error: undefined });
    } catch (error) {
      fail(error);
    }
  };
  return {
    ...store,
    refresh,
    async forgetRefusal(id) {
      try {
        await send(`/api/models/refusals?model=${encodeURIComponent(id)}`, { method: 'DELETE' });
        await refresh();
      } catch (error) {
        fail(error);
      }
    },
  };
}

/** The model with that id, if it is in the list. */
export function findModel(state: ModelsState, id: string | null): ModelInfo | undefined {
  return state.list?.models.find((model) => model.id === id);
}

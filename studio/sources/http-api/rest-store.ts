import * as z from 'zod';
import { type RestApi, restApiSchema } from '#lib/sources/http-api/api.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { PinStore } from '../pins.ts';

const APIS = 'rest-apis';
const PINS = 'rest-pins:';

const storedApiSchema = z.object({ isOn: z.boolean(), source: z.string(), api: restApiSchema });

/** An API of the person as it is stored. `source`: its description in YAML as they have written it. `api`: the same, parsed. */
export interface StoredApi {
  isOn: boolean;
  source: string;
  api: RestApi;
}

/** APIs with different names. One that cannot be read, for instance because another version has stored it, is left out. */
const apisSchema = z.array(z.unknown()).transform((all) => {
  const readable = all.flatMap((one) => storedApiSchema.safeParse(one).data ?? []);
  return [...new Map(readable.map((one) => [one.api.name, one])).values()];
});

/** The person's HTTP APIs in the browser's storage, without secrets. Everything rejects with `StorageError` if that fails. */
export class RestStore {
  /** The tools that the person has allowed, by API. */
  readonly pins: PinStore;
  readonly #store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>;

  constructor(store: Pick<ThreadStore, 'setting' | 'updateSetting' | 'deleteSetting'>) {
    this.#store = store;
    this.pins = new PinStore(store, PINS);
  }

  async apis(): Promise<readonly StoredApi[]> {
    return apisSchema.safeParse((await this.#store.setting(APIS)) ?? []).data ?? [];
  }

  /** Changes the list of APIs. Entries that cannot be read, such as those of another version, stay. */
  async update(change: (all: readonly StoredApi[]) => readonly StoredApi[]): Promise<void> {
    await this.#store.updateSetting(APIS, (stored) => {
      const all = z.array(z.unknown()).parse(stored ?? []);
      const unreadable = all.filter((one) => !storedApiSchema.safeParse(one).success);
      return [...change(apisSchema.parse(all)), ...unreadable];
    });
  }
}

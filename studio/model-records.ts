import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import {
  type KnownUse,
  type ModelUse,
  modelUseSchema,
  type ObservedWindow,
  observedWindowSchema,
} from '#lib/wire/model-config.ts';

/** Settings of a model. Those that only other versions of the studio know are left out. */
const storedUseSchema = z.object(modelUseSchema.shape);

const examinationSchema = z.object({
  /** The settings that the person has accepted, or could accept. */
  use: storedUseSchema,
  /** Whether the person has accepted these settings. */
  isUsed: z.boolean(),
  /** Whether the person has declined these settings. */
  isDeclined: z.boolean().optional(),
  /** An `ExaminationReport`, read by the view that shows it. */
  report: z.unknown(),
});

/**
 * The data that this browser has about a model: the person's choices, its latest examination, and the context window that
 * was seen.
 */
export interface ModelRecord {
  /** The person's own choices. */
  choices?: ModelUse;
  /** The latest examination. */
  examination?: z.infer<typeof examinationSchema>;
  /** The context window that the model's server was seen to enforce. */
  observed?: ObservedWindow;
}

const storedRecordSchema = z.looseObject({ choices: z.looseObject({}).optional() });

/** Splits choices into those that can be read and the others, which another version of the studio may understand. */
function readChoices(stored: Readonly<Record<string, unknown>>) {
  const readable: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [setting, value] of Object.entries(stored)) {
    const isReadable =
      Object.hasOwn(storedUseSchema.shape, setting) && storedUseSchema.safeParse({ [setting]: value }).success;
    (isReadable ? readable : others)[setting] = value;
  }
  return { choices: storedUseSchema.parse(readable), others };
}

/** Parses a stored record, and leaves out what cannot be read. */
function readRecord(stored: unknown): ModelRecord {
  const record = storedRecordSchema.safeParse(stored).data ?? {};
  const { choices: storedChoices, examination: storedExamination } = record;
  const { choices } = readChoices(storedChoices ?? {});
  const examination = examinationSchema.safeParse(storedExamination).data;
  const observed = observedWindowSchema.safeParse(record.observed).data;
  return {
    ...(Object.keys(choices).length > 0 && { choices }),
    ...defined({ examination, observed }),
  };
}

/** Returns a record in its stored form. `before`: the stored record that it replaces, of which unreadable parts are kept. */
function writeRecord(before: unknown, { choices, examination, observed }: ModelRecord): unknown {
  const {
    choices: storedChoices,
    examination: storedExamination,
    observed: _,
    ...rest
  } = storedRecordSchema.safeParse(before).data ?? {};
  const { others } = readChoices(storedChoices ?? {});
  const keptExamination = examinationSchema.safeParse(storedExamination).success ? undefined : storedExamination;
  const allChoices = { ...others, ...choices };
  const newExamination = examination ?? keptExamination;
  return {
    ...rest,
    ...(Object.keys(allChoices).length > 0 && { choices: allChoices }),
    ...defined({ examination: newExamination, observed }),
  };
}

/**
 * Model records by `ModelInfo.endpoint`, which identifies a model at an address. Parts that cannot be read, for instance
 * because another version of the studio has written them, are left out.
 */
export const modelRecordsSchema = z.record(z.string(), z.unknown()).transform((all) =>
  Object.fromEntries(
    Object.entries(all).flatMap(([endpoint, one]) => {
      const record = readRecord(one);
      return Object.keys(record).length === 0 ? [] : [[endpoint, record] as const];
    }),
  ),
);

type Records = Readonly<Record<string, ModelRecord>>;
type StoredRecords = Readonly<Record<string, unknown>>;

const SETTING = 'model-records';
const LOCK = 'roundtrip-model-records';

/**
 * The records (`ModelRecord`) of the server's models and of those of the person's connections, by `ModelInfo.endpoint`. They
 * are stored with the settings.
 */
export class ModelRecords {
  readonly state: StoreApi<Records> = createStore<Records>(() => ({}));
  readonly #store: ThreadStore;

  static async open(store: ThreadStore): Promise<ModelRecords> {
    const records = new ModelRecords(store);
    await records.#read();
    store.subscribe((change) => {
      // The records stay as they were read last; the next change reads them again.
      if (change.type === 'settings') records.#read().catch(() => undefined);
    });
    return records;
  }

  private constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** The record of a model; undefined if there is none. */
  of(endpoint: string): ModelRecord | undefined {
    const records = this.state.getState();
    return Object.hasOwn(records, endpoint) ? records[endpoint] : undefined;
  }

  /**
   * Returns what requests for a model say about it: the person's choices, the settings of an examination that they have
   * accepted, and the context window that was seen. Undefined if its record has none of these.
   */
  knownUseOf(endpoint: string): KnownUse | undefined {
    return knownUse(this.of(endpoint));
  }

  /**
   * Changes the record of one model. `change` gets the record as it is stored at that moment. Only one tab at a time does so.
   */
  async change(endpoint: string, change: (record: ModelRecord) => ModelRecord): Promise<void> {
    await this.#update((all) => {
      const before = Object.hasOwn(all, endpoint) ? all[endpoint] : undefined;
      return { [endpoint]: writeRecord(before, change(readRecord(before))) };
    });
  }

  /**
   * Sets or, with undefined, removes the person's choice of a model's setting. Without it, examinations and the server decide.
   * For the setting `contextSize`, also removes the context window that was seen.
   */
  async choose(endpoint: string, setting: keyof ModelUse, value: unknown): Promise<void> {
    await this.change(endpoint, ({ choices, observed, ...record }) => {
      const { [setting]: _, ...rest } = choices ?? {};
      // A person who chooses a window knows better than this, or finds out again.
      const stillObserved = setting === 'contextSize' ? undefined : observed;
      return {
        ...record,
        ...defined({ observed: stillObserved }),
        choices: modelUseSchema.parse(value === undefined ? rest : { ...rest, [setting]: value }),
      };
    });
  }

  /** Removes native tools from an examination's settings, because they have failed since it recommended them. */
  async noteRefusal(endpoint: string): Promise<void> {
    if (this.of(endpoint)?.examination?.use.toolCalling !== 'native') return;
    await this.change(endpoint, ({ examination, ...record }) => {
      if (examination === undefined) return record;
      const { toolCalling: _, ...use } = examination.use;
      return { ...record, examination: { ...examination, use } };
    });
  }

  /** Records that a model's server takes fewer tokens than the context window that was known. */
  async noteWindow(endpoint: string, observed: ObservedWindow): Promise<void> {
    const { success } = observedWindowSchema.safeParse(observed);
    if (success) await this.change(endpoint, (record) => ({ ...record, observed }));
  }

  /** Deletes the records of a connection's models. */
  async forget(connectionId: string): Promise<void> {
    const isOther = ([endpoint]: [string, unknown]) => !endpoint.startsWith(`${connectionId}/`);
    await this.#rewrite((stored) => Object.fromEntries(Object.entries(stored).filter(isOther)));
  }

  /** Adds records from a backup for models of which nothing is known here. */
  async restore(records: Records): Promise<void> {
    if (Object.keys(records).length > 0)
      await this.#update((all) =>
        Object.fromEntries(Object.entries(records).filter(([key]) => !Object.hasOwn(all, key))),
      );
  }

  /** Stores the changed records beside the others, which are not touched even if they cannot be read here. */
  async #update(change: (all: StoredRecords) => StoredRecords): Promise<void> {
    await this.#rewrite((stored) => ({ ...stored, ...change(stored) }));
  }

  async #rewrite(rewritten: (all: StoredRecords) => StoredRecords): Promise<void> {
    await navigator.locks.request(LOCK, async () => {
      const stored = z.record(z.string(), z.unknown()).parse((await this.#store.setting(SETTING)) ?? {});
      await this.#store.putSetting(SETTING, rewritten(stored));
    });
    await this.#read();
  }

  async #read(): Promise<void> {
    const stored = modelRecordsSchema.safeParse((await this.#store.setting(SETTING)) ?? {}).data ?? {};
    if (JSON.stringify(stored) !== JSON.stringify(this.state.getState())) this.state.setState(stored, true);
  }
}

export function knownUse({ choices, examination, observed }: ModelRecord = {}): KnownUse | undefined {
  const examined = examination?.isUsed === true ? examination.use : undefined;
  if (choices === undefined && examined === undefined && observed === undefined) return undefined;
  return defined({ person: choices, examined, observed });
}

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Environment, ServerEnv } from '#config/env.ts';
import { CALLS_IN_TEXT } from '#lib/agent/limits.ts';
import { defined } from '#lib/base/defined.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { describeUse, type UseLayers } from '#lib/model-use/resolve-use.ts';
import type { ModelInfo, ModelList, ServerModels } from '#lib/wire/models.ts';
import { readApiKey } from './api-key.ts';
import { type ResolvedModelConfig, resolveModelConfig } from './config.ts';
import { discoverLocalModels } from './discovery.ts';
import { describeListError } from './list-errors.ts';
import { readModelsFile } from './models-file.ts';
import { DEMO_MODEL_CONFIG } from './providers/demo.ts';
import { isOwnAddress, type ListedModel, toolCallingOf } from './providers/provider.ts';
import { providerOf } from './providers/providers.ts';
import { type ProviderSettings, readProviders } from './providers-env.ts';
import type { ServedWindows } from './served-windows.ts';
import { withTableEntry } from './table-entry.ts';
import { serverUseLayers, usedModel } from './used-model.ts';

/** The time for which a list is valid before endpoints are asked again, in milliseconds, so that new models need no restart. */
const LIST_MAX_AGE_MS = 5_000;
/** The time limit for an endpoint to list its models, in milliseconds. */
const LIST_TIMEOUT_MS = 8_000;

const NO_WINDOWS = { known: () => undefined };

/** Models that refused native tools, each named by a key for the model and its endpoint. */
export interface ToolRefusals {
  has(key: string): boolean;
  add(key: string): void;
  delete(key: string): void;
}

interface Listing {
  configs: readonly ResolvedModelConfig[];
  problems: ModelList['problems'];
}

/** The available models: from `models.yaml`, from the environment, found on this machine, and the demo. */
export class ModelRegistry {
  #env: Environment;
  #serverEnv: ServerEnv;
  #listing: Promise<Listing> | undefined;
  #listedAt = 0;
  #latest: Listing | undefined;
  /** The models, each with its endpoint, that refused native tools; `auto` uses prompted tools for them from then on. */
  readonly #refusedTools: ToolRefusals;
  /** By endpoint and model: for each of the latest steps with native calls, whether the calls were in text. */
  #nativeCalls = new Map<string, readonly boolean[]>();

  readonly #windows: Pick<ServedWindows, 'known'>;

  /** `refusals`: where refusals of tools are kept; by default, in this process. */
  constructor(
    env: Environment,
    serverEnv: ServerEnv,
    windows: Pick<ServedWindows, 'known'> = NO_WINDOWS,
    refusals: ToolRefusals = new Set(),
  ) {
    this.#env = env;
    this.#serverEnv = serverEnv;
    this.#windows = windows;
    this.#refusedTools = refusals;
  }

  /** Lists the models for the page, with the default one, and the problems that there were in finding models. */
  async list(): Promise<ServerModels> {
    const { configs, problems } = await this.#current();
    return {
      models: configs.map((config) => this.#describe(config)),
      defaultModel: this.#defaultOf(configs),
      problems,
    };
  }

  /**
   * Finds the model with that id; undefined if there is none. A list that has the model answers at once, and is refreshed in
   * the background if it is old; otherwise, endpoints are asked again.
   */
  async get(id: string): Promise<ResolvedModelConfig | undefined> {
    const listed = this.#latest?.configs.find((config) => config.id === id);
    if (listed !== undefined) {
      void this.#current();
      return listed;
    }
    const known = (await this.#current()).configs.find((config) => config.id === id);
    if (known !== undefined || Date.now() - this.#listedAt < 500) return known;
    this.#listing = undefined;
    return (await this.#current()).configs.find((config) => config.id === id);
  }

  /** Returns the settings for using a model that the server knows, by their source (see `serverUseLayers`). */
  layersOf(config: ResolvedModelConfig): UseLayers {
    return serverUseLayers(config, this.#refusedTools.has(refusalKey(config)), this.#windows.known(config));
  }

  /**
   * Returns the mode in which the model calls tools, as far as the server knows: its own, or the one that `auto` resolves to.
   */
  effectiveToolCalling(config: ResolvedModelConfig): ToolCallingMode {
    return usedModel(config, this.layersOf(config)).toolCalling;
  }

  /** Remembers that a model refused native tools, so that `auto` means prompted tools for it from now on. */
  rememberToolRefusal(config: ResolvedModelConfig): void {
    this.#refusedTools.add(refusalKey(config));
  }

  /**
   * Remembers whether a model with native tools wrote the calls of a step as text (`inText`), which its server did not
   * recognize as calls. If that happens too often, the model counts as one that refused native tools.
   */
  rememberNativeCalls(config: ResolvedModelConfig, inText: boolean): void {
    const key = refusalKey(config);
    const latest = [...(this.#nativeCalls.get(key) ?? []), inText].slice(-CALLS_IN_TEXT.of);
    this.#nativeCalls.set(key, latest);
    if (latest.filter(Boolean).length < CALLS_IN_TEXT.steps) return;
    this.#refusedTools.add(key);
    // Once somebody has it tried again, maybe in another process, counting starts over.
    this.#nativeCalls.delete(key);
  }

  /** Forgets that a model refused native tools, so that `auto` tries them again. */
  forgetToolRefusal(config: ResolvedModelConfig): void {
    this.#refusedTools.delete(refusalKey(config));
    this.#nativeCalls.delete(refusalKey(config));
  }

  #current(): Promise<Listing> {
    if (this.#listing === undefined || Date.now() - this.#listedAt > LIST_MAX_AGE_MS) {
      this.#listedAt = Date.now();
      this.#listing = this.#read().then((listing) => {
        this.#latest = listing;
        return listing;
      });
    }
    return this.#listing;
  }

  async #read(): Promise<Listing> {
    const problems: ModelList['problems'] = [];
    const attempt = async (
      source: string,
      read: () => Promise<ResolvedModelConfig[]>,
    ): Promise<ResolvedModelConfig[]> => {
      try {
        return await read();
      } catch (error) {
        problems.push({ source, ...describeListError(error) });
        return [];
      }
    };
    const file = this.#serverEnv.MODELS_FILE;
    const fromFile = await attempt(file, async () => readModelsFile(resolve(file)));
    let providers: ProviderSettings[] = [];
    try {
      providers = readProviders(this.#env);
    } catch (error) {
      problems.push({ source: 'environment', ...describeListError(error) });
    }
    const [fromProviders, found] = await Promise.all([
      Promise.all(providers.map((settings) => attempt(providerOf(settings).label, () => this.#readProvider(settings)))),
      this.#serverEnv.DISCOVER_LOCAL ? discoverLocalModels(this.#serverEnv.PORT) : [],
    ]);
    const demo = this.#serverEnv.DEMO_MODEL ? [DEMO_MODEL_CONFIG] : [];
    const configs = new Map<string, ResolvedModelConfig>();
    for (const config of [...fromFile, ...fromProviders.flat(), ...found, ...demo]) {
      if (!configs.has(config.id)) configs.set(config.id, config);
    }
    return { configs: [...configs.values()], problems };
  }

  async #readProvider({ provider, baseURL, models }: ProviderSettings): Promise<ResolvedModelConfig[]> {
    const own = providerOf({ provider });
    const address = baseURL ?? own.baseURL;
    const listed: ListedModel[] =
      models?.map((model) => ({ model })) ??
      (address === undefined
        ? []
        : await own.listModels?.({
            baseURL: address,
            apiKey: readApiKey({ provider }, this.#env),
            timeoutMs: LIST_TIMEOUT_MS,
          })) ??
      [];
    const isOwn = isOwnAddress(own, address === undefined ? {} : { baseURL: address });
    const known = isOwn ? listed.map((entry) => withTableEntry(provider, entry)) : listed;
    return known.map((entry) =>
      resolveModelConfig({
        provider,
        model: entry.model,
        ...(entry.name ? { name: entry.name } : {}),
        ...(address === undefined ? {} : { baseURL: address }),
        toolCalling: toolCallingOf(entry),
        ...(entry.contextSize === undefined ? {} : { contextSize: entry.contextSize }),
        ...(entry.vision === undefined ? {} : { vision: entry.vision }),
      }),
    );
  }

  #describe(config: ResolvedModelConfig): ModelInfo {
    const layers = this.layersOf(config);
    return {
      id: config.id,
      name: config.name,
      model: config.model,
      provider: config.provider,
      providerLabel: providerOf(config).label,
      endpoint: createHash('sha256').update(refusalKey(config)).digest('base64url'),
      ...describeUse(layers),
      toolsRefused: this.#refusedTools.has(refusalKey(config)),
      vision: config.vision ?? null,
      parameters: {
        ...defined({ maxOutputTokens: config.maxOutputTokens, effort: config.reasoning?.effort }),
      },
      demo: config.provider === DEMO_MODEL_CONFIG.provider,
    };
  }

  #defaultOf(configs: readonly ResolvedModelConfig[]): string | null {
    const wanted = this.#serverEnv.LLM_PROVIDER?.trim();
    const chosen = configs.find(({ provider }) => provider === wanted) ?? configs[0];
    return chosen?.id ?? null;
  }
}

const refusalKey = ({ provider, baseURL, model }: ResolvedModelConfig): string =>
  JSON.stringify([provider, baseURL ?? '', model]);

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toAgentLimits } from '#config/agent-limits.ts';
import { readServerEnv, type ServerEnv } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { studioHome } from '#config/studio-home.ts';
import type { AgentModel } from '#lib/agent/agent-model.ts';
import type { AgentLimits } from '#lib/agent/limits.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { createLog, type Log } from '#log/log.ts';
import { toAgentModel } from '#models/language-model.ts';
import { ModelUnavailable, ownModel } from '#models/own-model.ts';
import { describeModelError } from '#models/problems.ts';
import { ModelRegistry } from '#models/registry.ts';
import { ServedWindows } from '#models/served-windows.ts';
import { TokenScales } from '#models/token-scales.ts';
import { usedModel } from '#models/used-model.ts';

/** The model that is wanted, and the way in which it gets its tools. */
interface WantedModel {
  model?: string | undefined;
  provider?: string | undefined;
  /** The way in which the model gets its tools; as its settings say if undefined. */
  toolCalling?: ToolCallingMode | undefined;
}

/** The models that are configured on this machine. They are found in the same way as on the studio's server. */
export class LocalModels {
  readonly env: ServerEnv;
  readonly log: Log;
  readonly #variables: Readonly<Record<string, string | undefined>>;
  readonly #windows = new ServedWindows();
  readonly #scales = new TokenScales();
  readonly #registry: ModelRegistry;

  /** Throws `ConfigError` for variables that cannot be used. */
  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
    // Steps are only logged if the person has asked for it.
    const env = readServerEnv({ LOG_LEVEL: 'silent', MODELS_FILE: MODELS_FILE, ...given(variables) });
    this.env = env;
    this.log = createLog(env.LOG_LEVEL);
    this.#registry = new ModelRegistry(variables, env, this.#windows);
  }

  /**
   * Resolves with the ids of all models, the default model's first. Rejects with `ConfigError` if there are none because lists
   * of models could not be read.
   */
  async ids(): Promise<string[]> {
    const { models, defaultModel, problems } = await this.#registry.list();
    if (models.length === 0 && problems.length > 0) throw new ConfigError(problems.map(problemText).join('\n'));
    const ids = models.map(({ id }) => id);
    return defaultModel === null ? ids : [defaultModel, ...ids.filter((id) => id !== defaultModel)];
  }

  /**
   * Finds a model by its id, its provider, or the provider's own name for it; the default model if nothing is wanted. Rejects
   * with a `ConfigError` that lists the models there are.
   */
  async find(wanted: WantedModel): Promise<LocalModel> {
    this.#requireFile();
    const { models, problems } = await this.#registry.list();
    // Without the models that the person has described, another one would get their words.
    const unread = problems.filter(({ source }) => source === this.env.MODELS_FILE);
    if (unread.length > 0) throw new ConfigError(unread.map(problemText).join('\n'));
    const ids = await this.ids();
    const { model, provider } = wanted;
    const matching = models.filter(
      (one) =>
        (provider === undefined || one.provider === provider) &&
        (model === undefined || one.id === model || one.model === model || one.id === `${provider}/${model}`),
    );
    const first = ids.find((id) => matching.some((one) => one.id === id));
    if (first === undefined) {
      if (ids.length === 0 && problems.length === 0)
        throw new ConfigError(
          'No model is configured. Set the key of a provider in the environment, such as OPENAI_API_KEY, or describe models in models.yaml; docs/CONFIGURATION.md says how.',
        );
      const asked = [provider, model].filter((part) => part !== undefined).join('/');
      const failed = problems.map((problem) => `\n${problemText(problem)}`).join('');
      const there = ids.length === 0 ? 'No model is configured.' : `There are: ${ids.slice(0, 20).join(', ')}.`;
      throw new ConfigError(
        `${asked === '' ? 'No model can be used.' : `There is no ${model === undefined ? 'provider' : 'model'} “${asked}”.`} ${there}${failed}`,
      );
    }
    return this.#use(first, wanted.toolCalling);
  }

  /** Throws `ConfigError` if `MODELS_FILE` names a file that does not exist. */
  #requireFile(): void {
    const named = this.#variables.MODELS_FILE;
    if (named && !statSync(named, { throwIfNoEntry: false })?.isFile())
      throw new ConfigError(`MODELS_FILE: there is no file ${named}. Correct the variable, or unset it.`);
  }

  async #use(id: string, toolCalling: ToolCallingMode | undefined): Promise<LocalModel> {
    try {
      const { model: config, apiKey } = await ownModel(this.#registry, id, this.#variables);
      await this.#windows.of(config, apiKey, undefined);
      const used = usedModel(config, this.#registry.layersOf(config));
      return {
        id,
        toolCalling: toolCalling ?? used.toolCalling,
        model: toAgentModel(
          toolCalling === undefined ? used.model : { ...used.model, toolCalling },
          apiKey,
          this.env,
          undefined,
          randomUUID(),
        ),
        describe: (error) => describeModelError(error, apiKey),
        scaleOf: (mode) => this.#scales.of(config, undefined, mode),
        onScale: (mode, scale) => this.#scales.remember(config, undefined, mode, scale),
        onToolsRefused: () => this.#registry.rememberToolRefusal(config),
        onNativeCalls: (inText) => this.#registry.rememberNativeCalls(config, inText),
      };
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      throw new ConfigError(
        error.message.replace(' in the server’s environment and restart it', ' in the environment'),
      );
    }
  }

  /** The limits of a turn with at most `maxSteps` steps. */
  limits(maxSteps: number): AgentLimits {
    return { ...toAgentLimits(this.env), maxSteps };
  }
}

/** A model, with functions that look up and remember what is learned about it while it is used. */
export interface LocalModel {
  id: string;
  toolCalling: ToolCallingMode;
  model: AgentModel;
  /** Describes the meaning of an error, without secrets. */
  describe(error: unknown): ReturnType<typeof describeModelError>;
  /** Returns how many tokens the model's server counts for each one that the studio estimates; undefined if unknown. */
  scaleOf(mode: ToolCallingMode): number | undefined;
  /** Called when the model's server has counted tokens. `scale`: the number of its tokens for each estimated one. */
  onScale(mode: ToolCallingMode, scale: number): void;
  /** Called when native tools were refused, or given up for calls in text. */
  onToolsRefused(): void;
  /** Called when a model with native tools has made calls. `inText`: as text, which its server did not recognize. */
  onNativeCalls(inText: boolean): void;
}

/**
 * The studio's own list of models, which is used by default. A list in the folder that is worked on is not, because it could
 * send keys anywhere.
 */
const MODELS_FILE = join(
  process.env.ROUNDTRIP_PACKED === undefined
    ? join(import.meta.dirname, '..', '..')
    : studioHome(process.env, process.cwd()),
  'models.yaml',
);

/** Describes why a list of models could not be read. The detail may name the source itself. */
const problemText = ({ source, detail }: { source: string; detail: string }): string =>
  detail.startsWith(source) ? detail : `${source}: ${detail}`;

/** The variables that are set and not empty. */
const given = (variables: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''));

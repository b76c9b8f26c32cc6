import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderTraits } from '#lib/agent/agent-model.ts';
import type { ToolCallingChoice } from '#lib/messages/message.ts';
import type { ResolvedModelConfig } from '../config.ts';

/** A model as its endpoint reports it. What it does not report is absent. */
export interface ListedModel {
  model: string;
  name?: string;
  /** Maximum tokens of the prompt and answer together, as a whole number that a model can be used with. */
  contextSize?: number;
  nativeTools?: boolean;
  vision?: boolean;
}

/** Returns the way of calling tools that an endpoint reports for a model; `auto` if it reports none. */
export const toolCallingOf = ({ nativeTools }: Pick<ListedModel, 'nativeTools'>): ToolCallingChoice =>
  nativeTools === undefined ? 'auto' : nativeTools ? 'native' : 'prompted';

/** The address at which a provider's API is reached, with the key and the options for a request. */
export interface Endpoint {
  baseURL: string;
  apiKey: string | undefined;
  /** The time limit for the whole request, in milliseconds. */
  timeoutMs: number;
  /** Makes the request; `directFetch` by default. */
  fetch?: typeof fetch | undefined;
}

/** The key and the `fetch` for creating a model. Its address and parameters are in its configuration. */
export interface CreateOptions {
  apiKey: string | undefined;
  /** `fetch` that gives up on silent servers, and follows no redirect. */
  fetch: typeof fetch;
  /** Whether requests are sent as they are, even if the server refuses something in them. */
  isExact?: boolean;
}

/**
 * A provider of models: all that the studio knows of it. Its id names it in `models.yaml`, in `LLM_PROVIDER` and in
 * stored steps.
 */
export interface Provider {
  id: string;
  /** The name that people see. */
  label: string;
  /** The provider's own base URL; absent if every server has its own. */
  baseURL?: string;
  /** Prefixes of its environment variables, such as OPENAI in OPENAI_MODEL; none if it is not configured by variables. */
  prefixes: readonly string[];
  /** The environment variables that may hold its key, the first one preferred. */
  keyVariables: readonly string[];
  /** Whether its models can only stream. False by default. */
  onlyStreams?: true;
  /** Checks whether a model needs a key. Self-hosted servers may work without one; the providers' own addresses do not. */
  needsKey(config: Pick<ResolvedModelConfig, 'baseURL'>): boolean;
  /** Returns the traits that the agent must know, for a model's address and settings. */
  traits(config: ResolvedModelConfig): ProviderTraits;
  /** Creates the SDK's model for a configuration. It holds no state, so one may serve several requests. */
  create(config: ResolvedModelConfig, options: CreateOptions): LanguageModelV4;
  /**
   * Returns options for each request, by the SDK's name of the provider, such as the reasoning effort. `threadId`: requests
   * of the same conversation begin alike, so they can share a cache.
   */
  options(config: ResolvedModelConfig, threadId?: string): Record<string, JSONObject>;
  /**
   * Asks an endpoint for its models. Absent if the provider has no endpoint to ask. Rejects with the network error, with
   * `EndpointError` if the endpoint refuses, with `SyntaxError` if the response is not JSON, and with `ZodError` if it is not
   * a list of models.
   */
  listModels?(endpoint: Endpoint): Promise<ListedModel[]>;
}

/**
 * Checks whether a model is used at its provider's own address, such as api.openai.com, rather than at another server with the
 * same API: whether the hosts are the same. True as well if the model has no address, or the provider none of its own.
 */
export function isOwnAddress(
  { baseURL: own }: Pick<Provider, 'baseURL'>,
  { baseURL }: Pick<ResolvedModelConfig, 'baseURL'>,
): boolean {
  return baseURL === undefined || own === undefined || new URL(baseURL).host === new URL(own).host;
}

/**
 * Returns the name of the tag around reasoning in a plain text: the configured one, otherwise `usual`. Undefined if the
 * configuration says that there is none (false), or neither names one.
 */
export function reasoningTag({ reasoning }: ResolvedModelConfig, usual: string | undefined): string | undefined {
  const tag = reasoning?.tag;
  return tag === false ? undefined : (tag ?? usual);
}

/** The reasoning budgets in tokens for the levels of effort, for providers that take numbers instead of levels. */
export const THINKING_BUDGETS = { minimal: 1_024, low: 4_096, medium: 16_384, high: 32_768 } as const;

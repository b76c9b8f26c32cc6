import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import {
  extractReasoningMiddleware,
  generateId,
  type LanguageModelMiddleware,
  simulateStreamingMiddleware,
  wrapLanguageModel,
} from 'ai';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import type { AnyToolDefinition } from '#lib/tools/core/registry.ts';
import { freshCallIds } from './call-ids.ts';
import { PROVIDER_DEFAULTS, type ResolvedModelConfig } from './config.ts';
import { createDemoModel } from './demo/demo-model.ts';
import { directFetch } from './direct-fetch.ts';
import { inertText } from './inert-text.ts';
import { promptedTools } from './prompted-tools.ts';
import { ProviderModelCache } from './provider-model-cache.ts';

export interface LanguageModelOptions {
  apiKey: string | undefined;
  toolCalling: ToolCallingMode;
  /** How tools are described if they are prompted. */
  protocol: ProtocolSettings;
  tools: readonly AnyToolDefinition[];
  /** False for endpoints that cannot stream; the whole reply then arrives as one chunk. */
  stream: boolean;
  timeoutMs: number;
  /** Wrapped directly around the provider's model: sees exactly what the model receives. */
  innermost?: LanguageModelMiddleware;
}

/** A configured model as the graph uses it. The stream is the same for every provider and mode. */
export function createLanguageModel(config: ResolvedModelConfig, options: LanguageModelOptions): LanguageModelV4 {
  const createId = () => `call_${generateId()}`;
  const startsInReasoning = config.reasoning?.startsInReasoning ?? false;
  const middleware: LanguageModelMiddleware[] = [freshCallIds(createId)];
  // The markers of the protocol must not be forged either, whoever renders the prompt.
  if (mayRenderTemplates(config) || options.toolCalling === 'prompted') middleware.push(inertText);
  if (options.toolCalling === 'prompted') {
    const { protocol, tools } = options;
    middleware.push(promptedTools({ protocol, tools, createId, startsInReasoning }));
  } else {
    const tagName = reasoningTag(config);
    if (tagName !== undefined)
      middleware.push(extractReasoningMiddleware({ tagName, startWithReasoning: startsInReasoning }));
  }
  if (!options.stream && config.provider !== 'demo') middleware.push(simulateStreamingMiddleware());
  if (options.innermost !== undefined) middleware.push(options.innermost);
  return wrapLanguageModel({ model: providerModel(config, options), middleware });
}

const providerModels = new ProviderModelCache();

/** The provider's own model. Creating one takes a millisecond and it holds no state, so it is created only once. */
function providerModel(config: ResolvedModelConfig, options: LanguageModelOptions): LanguageModelV4 {
  const { provider, model, baseURL } = config;
  const settings = [provider, model, baseURL ?? null, options.apiKey ?? null, options.timeoutMs];
  return providerModels.get(settings, () => createProviderModel(config, options));
}

/** Provider-specific options, such as the reasoning effort. */
export function providerOptions(config: ResolvedModelConfig): Record<string, JSONObject> {
  const effort = config.reasoning?.effort;
  switch (config.provider) {
    case 'openai':
      return { openai: { store: false, ...(effort === undefined ? {} : { reasoningEffort: effort }) } };
    case 'anthropic':
      return effort === undefined
        ? {}
        : { anthropic: { thinking: { type: 'enabled', budgetTokens: THINKING_BUDGETS[effort] } } };
    case 'google':
      return {
        google: {
          thinkingConfig: {
            includeThoughts: true,
            ...(effort === undefined ? {} : { thinkingBudget: THINKING_BUDGETS[effort] }),
          },
        },
      };
    case 'demo':
      return {};
    default:
      return effort === undefined ? {} : { [config.provider]: { reasoningEffort: effort } };
  }
}

/** Reasoning budgets in tokens, for providers that use numbers instead of levels. */
const THINKING_BUDGETS = { minimal: 1_024, low: 4_096, medium: 16_384, high: 32_768 } as const;

function createProviderModel(config: ResolvedModelConfig, options: LanguageModelOptions): LanguageModelV4 {
  const { provider, model, baseURL } = config;
  const { apiKey } = options;
  const fetchWithTimeout = withTimeout(options.timeoutMs);
  const base = { ...(baseURL === undefined ? {} : { baseURL }), fetch: fetchWithTimeout };
  switch (provider) {
    case 'demo':
      return createDemoModel();
    case 'anthropic':
      return createAnthropic({ ...base, apiKey: apiKey ?? '' })(model);
    case 'google':
      return createGoogle({ ...base, apiKey: apiKey ?? '' })(model);
    case 'openai':
      // Servers that only imitate OpenAI support its chat completions, not its responses API.
      if (isOwnAddress(config)) return createOpenAI({ ...base, apiKey: apiKey ?? '' })(model);
      break;
    default:
  }
  const address = baseURL ?? PROVIDER_DEFAULTS[provider].baseURL;
  if (address === undefined) throw new Error(`The model "${config.id}" has no address; set its baseURL.`);
  return createOpenAICompatible({
    name: provider,
    baseURL: address,
    includeUsage: true,
    fetch: fetchWithTimeout,
    ...(apiKey === undefined ? {} : { apiKey }),
  })(model);
}

function isOwnAddress({ provider, baseURL }: ResolvedModelConfig): boolean {
  const own = PROVIDER_DEFAULTS[provider].baseURL;
  return baseURL === undefined || own === undefined || new URL(baseURL).host === new URL(own).host;
}

/** Whether a server may tokenize the prompt together with a template. The providers' own addresses do not. */
function mayRenderTemplates(config: ResolvedModelConfig): boolean {
  const { provider } = config;
  if (provider === 'demo') return false;
  return !(['openai', 'anthropic', 'google'] as const).some((own) => own === provider && isOwnAddress(config));
}

/** Servers without a reasoning field put the reasoning into the text, between these tags. */
function reasoningTag(config: ResolvedModelConfig): string | undefined {
  const tag = config.reasoning?.tag;
  if (tag === false) return undefined;
  if (tag !== undefined) return tag;
  const own = config.provider === 'anthropic' || config.provider === 'google' || config.provider === 'demo';
  return own || (config.provider === 'openai' && isOwnAddress(config)) ? undefined : 'think';
}

/** An endpoint that does not respond, or stalls, must not block a thread forever. */
function withTimeout(timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return directFetch(input, { ...init, signal });
  };
}

import type { ServerEnv } from '#config/env.ts';
import type { AgentModel } from '#lib/agent/agent-model.ts';
import { directFetch } from '#net/direct-fetch.ts';
import { withSilenceLimit } from '#net/silence-limit.ts';
import type { ResolvedModelConfig } from './config.ts';
import type { PersonalAccess } from './personal.ts';
import { ProviderModelCache } from './provider-model-cache.ts';
import { type CreateOptions, isOwnAddress, type Provider } from './providers/provider.ts';
import { providerOf } from './providers/providers.ts';

/**
 * Makes the model that the agent uses from a configuration. Only the provider's client holds the key. `access`: the way to
 * send requests for a model of a person's connection, or one that is examined; the client of such a model is not cached.
 * `threadId`: names the conversation, whose requests may share a provider's cache.
 */
export function toAgentModel(
  config: ResolvedModelConfig,
  apiKey: string | undefined,
  env: Pick<ServerEnv, 'AGENT_STREAM' | 'MODEL_TIMEOUT_MS'> & Partial<Pick<ServerEnv, 'MODEL_SILENCE_MS'>>,
  access?: Pick<PersonalAccess, 'fetch'> & Pick<CreateOptions, 'isExact'>,
  threadId?: string,
): AgentModel {
  const { id, provider, model, baseURL, toolCalling, protocol, contextSize, maxOutputTokens } = config;
  const own = providerOf(config);
  const firstMs = env.MODEL_TIMEOUT_MS;
  const limits = { firstMs, betweenMs: env.MODEL_SILENCE_MS ?? firstMs };
  return {
    id,
    provider,
    traits: own.traits(config),
    toolCalling,
    protocol,
    contextSize,
    claimedContextSize: config.claimedContextSize,
    mayCut: mayCut(own, config),
    maxOutputTokens,
    temperature: config.temperature,
    topP: config.topP,
    toolChoice: config.toolChoice,
    vision: config.vision ?? true,
    startsInReasoning: config.reasoning?.startsInReasoning ?? false,
    providerOptions: own.options(config, threadId),
    streams: env.AGENT_STREAM || own.onlyStreams === true,
    create: () => {
      // The client of a person's key lives no longer than the run.
      if (access !== undefined)
        return own.create(config, {
          apiKey,
          isExact: access.isExact ?? false,
          fetch: withSilenceLimit(limits, access.fetch),
        });
      // Creating one takes a millisecond and it holds no state, so it is created only once.
      return providerModels.get(
        [provider, model, baseURL ?? null, apiKey ?? null, limits.firstMs, limits.betweenMs],
        () => own.create(config, { apiKey, fetch: withSilenceLimit(limits, directFetch) }),
      );
    },
  };
}

/**
 * Checks whether an endpoint may silently shorten a prompt that is too long. Providers refuse it for their own models, but
 * OpenRouter and other servers may shorten it.
 */
const mayCut = (own: Provider, config: ResolvedModelConfig): boolean =>
  own.id === 'openrouter' ||
  (config.baseURL !== undefined && (own.baseURL === undefined || !isOwnAddress(own, config)));

const providerModels = new ProviderModelCache();

import { defined } from '#lib/base/defined.ts';
import type { ToolCallingMode } from '#lib/messages/message.ts';
import { profileOf } from '#lib/model-use/profiles.ts';
import { describeUse, resolveUse, type UseLayers, withObserved } from '#lib/model-use/resolve-use.ts';
import { findCodec } from '#lib/prompts/codecs/codecs.ts';
import type { KnownUse, ModelUse } from '#lib/wire/model-config.ts';
import type { ResolvedModelConfig } from './config.ts';
import { isOwnAddress } from './providers/provider.ts';
import { providerOf } from './providers/providers.ts';

/** A model with all its settings resolved, and the mode in which it calls tools, which is never `auto`. */
interface UsedModel {
  model: ResolvedModelConfig;
  toolCalling: ToolCallingMode;
}

/** Returns the settings for using a model from its configuration. */
function saidBy({ toolCalling, protocol, contextSize, temperature, topP }: ResolvedModelConfig): ModelUse {
  return {
    ...(toolCalling !== 'auto' && { toolCalling }),
    ...protocol,
    contextSize,
    temperature,
    topP,
  };
}

/**
 * Returns the settings for using a model by source, as far as the server knows them; `usedModel` adds those that only the
 * browser knows. `file`: the settings of `config`, if it comes from `models.yaml`. `learned`: the settings of any other
 * `config`, as an endpoint or a browser described them; for every model, prompted tools if native ones did not work
 * (`hasRefusedTools`). `served`: `window`, the context window that the model's server states, in tokens; absent without it.
 * `profile`: the defaults in `PROFILES` for the model's family, if there are any.
 */
export function serverUseLayers(config: ResolvedModelConfig, hasRefusedTools: boolean, window?: number): UseLayers {
  const { provider, model, isFromFile = false } = config;
  const said = saidBy(config);
  const learned = {
    ...(isFromFile ? {} : said),
    // Observations count more than what the endpoint says.
    ...(hasRefusedTools && { toolCalling: 'prompted' as const }),
  };
  return {
    ...(isFromFile && { file: said }),
    ...(window !== undefined && { served: { contextSize: window } }),
    learned,
    profile: profileOf(isOwnAddress(providerOf(config), config) ? { provider, model } : config),
  };
}

/**
 * Resolves all settings of a model. `layers`: those that the server knows. The last parameter: those that only the browser
 * knows, which are the person's choice, an examination's result, and an observed context window. Returns the configuration with
 * these settings, and the mode of calling tools, which is `native` or `prompted` even if the setting is `auto`.
 */
export function usedModel(
  config: ResolvedModelConfig,
  layers: UseLayers,
  { person, examined, observed }: KnownUse = {},
): UsedModel {
  const known = { ...layers, person: withKnownCodec(person), examined: withKnownCodec(examined) };
  const claimed = resolveUse(known).contextSize?.value;
  const all: UseLayers = withObserved(known, observed);
  const { toolCalling, effectiveToolCalling } = describeUse(all);
  const { codec, compact, examples, singleCalls, contextSize, temperature, topP } = resolveUse(all);
  const protocol = { codec, compact, examples, singleCalls };
  return {
    model: {
      ...config,
      toolCalling,
      protocol: Object.fromEntries(Object.entries(protocol).map(([setting, one]) => [setting, one?.value])),
      ...defined({ contextSize: contextSize?.value }),
      ...(all.observed !== undefined && { claimedContextSize: claimed ?? null }),
      ...defined({ temperature: temperature?.value, topP: topP?.value }),
    },
    toolCalling: effectiveToolCalling,
  };
}

/** Removes a codec that does not exist: browsers may remember its name from another version of the studio. */
function withKnownCodec(use: ModelUse | undefined): ModelUse | undefined {
  if (use?.codec === undefined || findCodec(use.codec) !== undefined) return use;
  const { codec: _, ...rest } = use;
  return rest;
}

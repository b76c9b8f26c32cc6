import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type WrapOptions, wrapModel } from '#lib/agent/call-model.ts';
import type { ResolvedModelConfig } from '../config.ts';
import { toAgentModel } from '../language-model.ts';

interface WrappedModelOptions extends WrapOptions {
  apiKey: string | undefined;
  stream: boolean;
  timeoutMs: number;
}

/** A configured model with everything around it that a model call puts there. */
export const createLanguageModel = (
  config: ResolvedModelConfig,
  { apiKey, stream, timeoutMs, ...options }: WrappedModelOptions,
): LanguageModelV4 =>
  wrapModel(toAgentModel(config, apiKey, { AGENT_STREAM: stream, MODEL_TIMEOUT_MS: timeoutMs }), options);

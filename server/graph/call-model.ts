import { jsonSchema, type LanguageModelMiddleware, streamText, type ToolSet, wrapLanguageModel } from 'ai';
import type { PromptSettings } from '#lib/messages/message.ts';
import { DEFAULT_PROTOCOL } from '#lib/prompts/codec.ts';
import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/core/registry.ts';
import type { ServerEnv } from '#server/config/env.ts';
import { announceRetries, type Retry } from '#server/models/announced-retries.ts';
import type { ResolvedModelConfig } from '#server/models/config.ts';
import { createLanguageModel, providerOptions } from '#server/models/language-model.ts';
import type { BuiltPrompt } from './prompt.ts';

export interface ModelCall {
  model: ResolvedModelConfig;
  apiKey: string | undefined;
  prompt: BuiltPrompt;
  settings: PromptSettings;
  env: ServerEnv;
  abortSignal: AbortSignal | undefined;
  /** Called before the request is repeated. */
  onRetry(retry: Retry): void;
  /** The innermost middleware, directly around the provider's model. */
  innermost: LanguageModelMiddleware;
}

/** One model call through the AI SDK. Errors arrive in the stream. */
export function callModel({ model, apiKey, prompt, settings, env, abortSignal, onRetry, innermost }: ModelCall) {
  const { toolCalling, protocol = DEFAULT_PROTOCOL, lastStep } = settings;
  const languageModel = createLanguageModel(model, {
    apiKey,
    toolCalling,
    protocol,
    tools: prompt.tools,
    stream: env.AGENT_STREAM,
    timeoutMs: env.MODEL_TIMEOUT_MS,
    innermost,
  });
  return streamText({
    model: wrapLanguageModel({
      model: languageModel,
      middleware: [announceRetries(env.AGENT_MAX_RETRIES, onRetry), ...(lastStep ? [forbidTools] : [])],
    }),
    ...(prompt.instructions === '' ? {} : { instructions: prompt.instructions }),
    messages: prompt.messages,
    ...(prompt.tools.length === 0
      ? {}
      : { tools: toToolSet(prompt.tools), toolChoice: lastStep ? 'auto' : (model.toolChoice ?? 'auto') }),
    ...(model.temperature === undefined ? {} : { temperature: model.temperature }),
    ...(model.maxOutputTokens === undefined ? {} : { maxOutputTokens: model.maxOutputTokens }),
    providerOptions: providerOptions(model),
    maxRetries: env.AGENT_MAX_RETRIES,
    ...(abortSignal === undefined ? {} : { abortSignal }),
    onError: () => undefined,
  });
}

/** Requests an answer without tools. Unknown to the SDK, which would discard the answer of a model that calls one. */
const forbidTools: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) =>
    params.tools === undefined ? params : { ...params, toolChoice: { type: 'none' } },
};

/** Without validators, because the executor already validates the arguments. */
function toToolSet(tools: readonly AnyToolDefinition[]): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema(toolInputJsonSchema(tool) as Parameters<typeof jsonSchema>[0]),
      },
    ]),
  );
}

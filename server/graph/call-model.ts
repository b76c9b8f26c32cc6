import { jsonSchema, type LanguageModelMiddleware, streamText, type ToolSet, wrapLanguageModel } from 'ai';
import type { PromptSettings } from '#lib/messages/message.ts';
import { DEFAULT_PROTOCOL } from '#lib/prompts/codec.ts';
import { type AnyToolDefinition, toolInputJsonSchema } from '#lib/tools/registry.ts';
import type { ServerEnv } from '#server/config/env.ts';
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
  /** Stands directly before the provider. */
  innermost: LanguageModelMiddleware;
}

/** One model call through the AI SDK. Errors arrive in the stream. */
export function callModel({ model, apiKey, prompt, settings, env, abortSignal, innermost }: ModelCall) {
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
    model: lastStep ? wrapLanguageModel({ model: languageModel, middleware: forbidTools }) : languageModel,
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

/** Asks for an answer without tools. Behind the SDK's back, which would throw away the answer of a model that calls one anyway. */
const forbidTools: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) =>
    params.tools === undefined ? params : { ...params, toolChoice: { type: 'none' } },
};

/** Without validators: arguments are validated once, by the executor. */
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

import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  generateId,
  jsonSchema,
  type LanguageModelMiddleware,
  simulateStreamingMiddleware,
  streamText,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';
import type { PromptSettings } from '#lib/messages/message.ts';
import { FALLBACK_PROTOCOL } from '#lib/prompts/codec.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import { portableSchema } from '#lib/tools/schema/plain-schema.ts';
import type { AgentModel } from './agent-model.ts';
import { meantNames } from './meant-names.ts';
import { announceRetries, type Retry } from './middleware/announced-retries.ts';
import { freshCallIds } from './middleware/call-ids.ts';
import { callsInText } from './middleware/calls-in-text.ts';
import { inertSpec, inertText } from './middleware/inert-text.ts';
import { promptedTools } from './middleware/prompted-tools.ts';
import { reasoningTags } from './middleware/reasoning-tags.ts';
import { wellFormedPrompt } from './middleware/well-formed.ts';
import type { BuiltPrompt } from './prompt.ts';

/**
 * A request to a model: the model, the prompt, the settings, what changes the request or its reply, and whom to tell of
 * retries. The reply is what `callModel` returns.
 */
export interface ModelCall {
  model: AgentModel;
  prompt: Pick<BuiltPrompt, 'instructions' | 'messages' | 'tools'>;
  settings: Pick<PromptSettings, 'toolCalling' | 'protocol' | 'lastStep' | 'layout'>;
  /** The maximum number of retries of the request after temporary failures. */
  maxRetries: number;
  /**
   * Whether a prompted reply ends before a call that needs the result of an earlier call in the same reply, if the codec is
   * made for small models (`isBrief`).
   */
  postpones: boolean;
  abortSignal: AbortSignal | undefined;
  /** Called before the request is repeated. */
  onRetry(retry: Retry): void;
  /** The innermost middleware, directly around the provider's model: sees exactly what the model receives. */
  innermost: LanguageModelMiddleware;
}

/**
 * Calls a model through the AI SDK, and returns the SDK's result at once. Errors arrive as parts of its stream. In the last
 * step of a turn, the tools stay in the prompt, but the request forbids calls.
 */
export function callModel({
  model,
  prompt,
  settings,
  maxRetries,
  postpones,
  abortSignal,
  onRetry,
  innermost,
}: ModelCall) {
  const { tools } = prompt;
  return streamText({
    model: wrapLanguageModel({
      model: wrapModel(model, { ...settings, tools, postpones, innermost }),
      middleware: [announceRetries(maxRetries, onRetry), ...(settings.lastStep ? [forbidTools] : [])],
    }),
    ...(prompt.instructions === '' ? {} : { instructions: prompt.instructions }),
    messages: prompt.messages,
    ...(tools.length === 0
      ? {}
      : { tools: toToolSet(tools), toolChoice: settings.lastStep ? 'auto' : (model.toolChoice ?? 'auto') }),
    ...(model.temperature === undefined ? {} : { temperature: model.temperature }),
    ...(model.topP === undefined ? {} : { topP: model.topP }),
    ...(model.maxOutputTokens === undefined ? {} : { maxOutputTokens: model.maxOutputTokens }),
    providerOptions: providerOptionsOf(model, settings, tools.length > 0),
    maxRetries,
    ...(abortSignal === undefined ? {} : { abortSignal }),
    onError: () => undefined,
  });
}

/**
 * Returns the provider options of a request. If the request offers native tools and its settings ask for single calls, the
 * options forbid more than one call in the reply.
 */
function providerOptionsOf(
  { providerOptions, traits: { singleCallOptions = {} } }: AgentModel,
  { toolCalling, protocol }: ModelCall['settings'],
  hasTools: boolean,
): AgentModel['providerOptions'] {
  // Some providers accept the option only in requests with tools.
  if (!hasTools || toolCalling === 'prompted' || protocol?.singleCalls !== true) return providerOptions;
  const names = new Set([...Object.keys(providerOptions), ...Object.keys(singleCallOptions)]);
  return Object.fromEntries([...names].map((name) => [name, { ...providerOptions[name], ...singleCallOptions[name] }]));
}

/** Options for the use of a model in one call. */
export interface WrapOptions extends Pick<PromptSettings, 'toolCalling' | 'protocol' | 'layout'> {
  tools: readonly ToolSpec[];
  /**
   * Whether a prompted reply ends before a call that needs the result of an earlier call, as in `ModelCall`; true by default.
   */
  postpones?: boolean;
  innermost?: LanguageModelMiddleware;
}

/**
 * Wraps a provider's model in the agent's middleware, which gives calls new ids, keeps text in the prompt from acting as a
 * template's marker (`inertText`), and reads calls and thoughts from text. The parts of the stream are then the same for
 * every provider and mode of tool calling.
 */
export function wrapModel(
  { create, traits, startsInReasoning, streams }: AgentModel,
  { toolCalling, protocol = FALLBACK_PROTOCOL, layout, tools, postpones = true, innermost }: WrapOptions,
): LanguageModelV4 {
  const createId = () => `call_${generateId()}`;
  const middleware: LanguageModelMiddleware[] = [freshCallIds(createId, meantNames(tools)), wellFormedPrompt];
  // The markers of the protocol must not be forged either, whoever renders the prompt.
  if (traits.rendersTemplates || toolCalling === 'prompted') middleware.push(inertText);
  if (toolCalling === 'prompted')
    middleware.push(
      promptedTools({
        protocol,
        tools: tools.map(inertSpec),
        createId,
        startsInReasoning,
        postpones,
        keepsBeginning: layout !== undefined,
      }),
    );
  else if (traits.rendersTemplates) middleware.push(callsInText({ tools: tools.map(inertSpec), createId }));
  if (toolCalling === 'native' && traits.reasoningTag !== undefined)
    middleware.push(reasoningTags({ tag: traits.reasoningTag, startsInReasoning }));
  if (!streams) middleware.push(simulateStreamingMiddleware());
  if (innermost !== undefined) middleware.push(innermost);
  return wrapLanguageModel({ model: create(), middleware });
}

/**
 * Forbids the model to call tools, although they stay in the prompt. Hidden from the SDK, which would discard the answer of a
 * model that calls one anyway.
 */
const forbidTools: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) =>
    params.tools === undefined ? params : { ...params, toolChoice: { type: 'none' } },
};

/**
 * Tools for the SDK. They have no `execute`, so that the SDK hands the calls out instead of running them, and no validators,
 * because the executor validates the arguments by the tool's own schema.
 */
const toToolSet = (tools: readonly ToolSpec[]): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema(portableSchema(inputSchema) as Parameters<typeof jsonSchema>[0]) },
    ]),
  );

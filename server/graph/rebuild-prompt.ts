import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';
import type { PromptAnswer, PromptRequest } from '#lib/api/prompt.ts';
import type { ServerEnv } from '#server/config/env.ts';
import type { ResolvedModelConfig } from '#server/models/config.ts';
import { callModel } from './call-model.ts';
import { buildPrompt } from './prompt.ts';
import { hashPrompt, type PromptRecord, recordPrompt } from './prompt-record.ts';
import { estimateTokens } from './tokens.ts';

/** Rebuilds a step's prompt on the path on which it was sent, stopping just before the provider. */
export async function rebuildPrompt(
  { messages, settings }: PromptRequest,
  model: ResolvedModelConfig,
  env: ServerEnv,
): Promise<PromptAnswer> {
  const options = { provider: model.provider, vision: model.vision ?? true, resultShare: env.AGENT_RESULT_SHARE };
  const prompt = await buildPrompt(messages, settings, options);
  const record = await recordCall({ model, apiKey: undefined, prompt, settings, env, abortSignal: undefined });
  const bare = await buildPrompt(messages, { ...settings, toolsets: [] }, options);
  const bareRecord = await recordCall({
    model,
    apiKey: undefined,
    prompt: bare,
    settings,
    env,
    abortSignal: undefined,
  });
  return {
    hash: hashPrompt(record),
    messages: record.prompt.map((message) => ({ role: message.role, content: textOf(message) })),
    tools: (record.tools ?? []).flatMap((tool) =>
      tool.type === 'function' ? [{ name: tool.name, description: tool.description, schema: tool.inputSchema }] : [],
    ),
    protocolTokens: Math.max(0, tokensOf(record) - tokensOf(bareRecord)),
  };
}

async function recordCall(call: Omit<Parameters<typeof callModel>[0], 'innermost' | 'onRetry'>): Promise<PromptRecord> {
  const records: PromptRecord[] = [];
  const innermost = { ...recordPrompt((record) => records.push(record)), ...answerNothing };
  await callModel({ ...call, onRetry: () => undefined, innermost }).consumeStream();
  const [record] = records;
  if (record === undefined) throw new Error('The branch results in an empty prompt, which cannot be sent.');
  return record;
}

const STOP = { unified: 'stop', raw: undefined } as const;
const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** Replaces the provider with an empty answer, so that nothing is sent. */
const answerNothing: Pick<LanguageModelMiddleware, 'wrapStream' | 'wrapGenerate'> = {
  wrapGenerate: async () => ({ content: [], finishReason: STOP, usage: USAGE, warnings: [] }),
  wrapStream: async () => ({
    stream: new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'finish', finishReason: STOP, usage: USAGE });
        controller.close();
      },
    }),
  }),
};

function textOf(message: LanguageModelV4Message): string {
  if (message.role === 'system') return message.content;
  return message.content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text;
      if (part.type === 'tool-call') return `→ ${part.toolName}(${JSON.stringify(part.input)})`;
      if (part.type === 'tool-result')
        return `← ${part.toolName}: ${'value' in part.output ? String(part.output.value) : ''}`;
      return `[${part.type}${'mediaType' in part ? ` ${part.mediaType}` : ''}]`;
    })
    .join('\n');
}

const tokensOf = ({ prompt, tools }: PromptRecord): number =>
  estimateTokens(prompt.map(textOf).join('\n')) +
  ((tools ?? []).length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** A provider's model that streams the given parts, whatever the prompt, and records its calls. */
export function scriptedModel(parts: readonly LanguageModelV4StreamPart[]) {
  const calls: LanguageModelV4CallOptions[] = [];
  const prompts: LanguageModelV4Prompt[] = [];
  const remember = (options: LanguageModelV4CallOptions) => {
    calls.push(options);
    prompts.push(options.prompt);
  };
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(options) {
      remember(options);
      const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
      const { finishReason, usage } = finish();
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      remember(options);
      return { stream: streamOf(parts) };
    },
  };
  return { model, calls, prompts };
}

/** The parts as a provider streams them. */
export const streamOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

/** The last part of a stream. */
export function finish(
  unified: 'stop' | 'length' | 'tool-calls' = 'stop',
): Extract<LanguageModelV4StreamPart, { type: 'finish' }> {
  return {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
}

export async function collect(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options);
  return Array.fromAsync(stream as unknown as AsyncIterable<LanguageModelV4StreamPart>);
}

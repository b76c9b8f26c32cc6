import type { LanguageModelV4CallOptions, LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

/** The number of latest messages after which a cached part ends. The last but one was the last of the request before. */
const LATEST = 2;

/**
 * A middleware that marks where Anthropic's prompt caches end, of which a request may have four: after the tools, after the
 * system text, and after each of the two latest messages. Must be the innermost middleware, because what it adds is not a
 * part of the prompt.
 */
export const cachedPrefix: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => ({ ...params, prompt: markedPrompt(params), ...markedTools(params) }),
};

function markedPrompt({ prompt }: LanguageModelV4CallOptions): LanguageModelV4Message[] {
  const lastSystem = prompt.findLastIndex(({ role }) => role === 'system');
  return prompt.map((message, index) => {
    const isLatest = message.role !== 'system' && index >= prompt.length - LATEST;
    return index === lastSystem || isLatest ? marked(message) : message;
  });
}

function markedTools({ tools }: LanguageModelV4CallOptions): Pick<LanguageModelV4CallOptions, 'tools'> {
  if (tools === undefined) return {};
  return {
    tools: tools.map((tool, index) => (tool.type === 'function' && index === tools.length - 1 ? marked(tool) : tool)),
  };
}

const marked = <Any extends { providerOptions?: SharedV4ProviderOptions }>(one: Any): Any => ({
  ...one,
  providerOptions: {
    ...one.providerOptions,
    anthropic: { ...one.providerOptions?.anthropic, cacheControl: { type: 'ephemeral' } },
  },
});

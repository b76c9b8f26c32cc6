import type { LanguageModelV4Prompt, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { LanguageModelMiddleware } from 'ai';

/** The key in provider metadata under which the studio keeps its own data on calls and texts. No provider reads it. */
export const OWN_METADATA_KEY = 'roundtrip';

/**
 * Returns a middleware that gives every call a fresh id before its first part is emitted (rule R2); the provider's id stays
 * in the call's metadata. In later prompts, the provider gets its own ids back; if several calls have the same provider's
 * id, only the first one gets it back, and the others keep their fresh ids. `nameOf`: returns the name of the tool that a
 * written name means, which the call then gets; by default, the written name.
 */
export function freshCallIds(
  createId: () => string,
  nameOf: (written: string) => string = (name) => name,
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => ({ ...params, prompt: restoreIds(params.prompt) }),
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(renameCalls(createId, nameOf)) };
    },
  };
}

function renameCalls(
  createId: () => string,
  nameOf: (written: string) => string,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  const ids = new Map<string, string>();
  const idFor = (providerId: string): string => {
    const known = ids.get(providerId);
    if (known !== undefined) return known;
    const id = createId();
    ids.set(providerId, id);
    return id;
  };
  const withProviderId = (id: string, metadata: SharedV4ProviderMetadata | undefined): SharedV4ProviderMetadata => ({
    ...metadata,
    [OWN_METADATA_KEY]: { callId: id },
  });
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'tool-input-start') {
        // A second call with an id that is in use gets a new id.
        ids.delete(part.id);
        controller.enqueue({
          ...part,
          id: idFor(part.id),
          toolName: nameOf(part.toolName),
          providerMetadata: withProviderId(part.id, part.providerMetadata),
        });
      } else if (part.type === 'tool-input-delta' || part.type === 'tool-input-end') {
        controller.enqueue({ ...part, id: idFor(part.id) });
      } else if (part.type === 'tool-call') {
        const { toolCallId, providerMetadata } = part;
        controller.enqueue({
          ...part,
          toolCallId: idFor(toolCallId),
          toolName: nameOf(part.toolName),
          providerMetadata: withProviderId(toolCallId, providerMetadata),
        });
        ids.delete(toolCallId);
      } else controller.enqueue(part);
    },
  });
}

function restoreIds(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const providerIds = new Map<string, string>();
  const used = new Set<string>();
  for (const message of prompt) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      const own = part.providerOptions?.[OWN_METADATA_KEY]?.callId;
      if (typeof own !== 'string' || own === '' || used.has(own)) continue;
      used.add(own);
      providerIds.set(part.toolCallId, own);
    }
  }
  const rename = (id: string): string => providerIds.get(id) ?? id;
  return prompt.map((message) => {
    if (message.role === 'assistant') {
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-call' ? { ...part, toolCallId: rename(part.toolCallId) } : part,
        ),
      };
    }
    if (message.role === 'tool') {
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result' ? { ...part, toolCallId: rename(part.toolCallId) } : part,
        ),
      };
    }
    return message;
  });
}

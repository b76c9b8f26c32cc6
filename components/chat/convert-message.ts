import type { ThreadAssistantMessagePart, ThreadMessage, ThreadUserMessagePart } from '@assistant-ui/react';
import type { AssistantMessage, AssistantPart, Message, UserMessage } from '#lib/messages/message.ts';

/** The custom metadata of a converted message: the studio's own message, for views that need more than assistant-ui has. */
export interface MessageExtras extends Record<string, unknown> {
  message: Message;
}

const converted = new WeakMap<Message, ThreadMessage>();

/**
 * Converts a message for assistant-ui's primitives. The result is kept for each message object, so that unchanged messages
 * are not rendered again.
 */
export function toThreadMessage(message: Message): ThreadMessage {
  const known = converted.get(message);
  if (known !== undefined) return known;
  const result = message.role === 'user' ? convertUser(message) : convertAssistant(message);
  converted.set(message, result);
  return result;
}

function convertUser(message: UserMessage): ThreadMessage {
  return {
    id: message.id,
    role: 'user',
    createdAt: new Date(message.createdAt),
    content: message.parts.flatMap((part): ThreadUserMessagePart[] =>
      part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
    ),
    attachments: message.parts.flatMap((part, index) => {
      if (part.type === 'text') return [];
      const isImage = part.mediaType.startsWith('image/');
      return [
        {
          id: `${message.id}:${index}`,
          type: isImage ? ('image' as const) : ('document' as const),
          name: part.filename ?? '',
          contentType: part.mediaType,
          status: { type: 'complete' as const },
          content: [
            isImage
              ? { type: 'image' as const, image: part.url, filename: part.filename ?? '' }
              : { type: 'file' as const, data: part.url, mimeType: part.mediaType, filename: part.filename ?? '' },
          ],
        },
      ];
    }),
    metadata: { custom: { message } satisfies MessageExtras },
  };
}

function convertAssistant(message: AssistantMessage): ThreadMessage {
  return {
    id: message.id,
    role: 'assistant',
    createdAt: new Date(message.createdAt),
    content: message.parts.flatMap(convertPart),
    status: statusOf(message),
    metadata: {
      unstable_state: null,
      unstable_annotations: [],
      unstable_data: [],
      steps: [],
      custom: { message } satisfies MessageExtras,
    },
  };
}

function convertPart(part: AssistantPart): ThreadAssistantMessagePart[] {
  if (part.type === 'text' || part.type === 'reasoning') return [{ type: part.type, text: part.text }];
  if (part.type === 'step' || part.type === 'compaction') return [];
  return [
    {
      type: 'tool-call',
      toolCallId: part.toolCallId,
      toolName: part.toolName,
      args: {},
      argsText: part.inputText ?? '',
      ...(part.result === undefined ? {} : { result: part.result, isError: part.result.type === 'tool-error' }),
    },
  ];
}

function statusOf({ status }: AssistantMessage): Extract<ThreadMessage, { role: 'assistant' }>['status'] {
  switch (status.type) {
    case 'running':
    case 'waiting':
      return { type: 'running' };
    case 'done':
      return { type: 'complete', reason: 'stop' };
    case 'stopped':
      return { type: 'incomplete', reason: 'cancelled' };
    default:
      return { type: 'incomplete', reason: 'error', error: status.problem.detail };
  }
}

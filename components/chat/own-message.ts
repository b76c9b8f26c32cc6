'use client';

import { useAuiState } from '@assistant-ui/react';
import type { MessageExtras } from '#components/runtime/convert-message.ts';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';

const useOwnMessage = (): Message => useAuiState((state) => (state.message.metadata.custom as MessageExtras).message);

/** The person's message that the view around stands for. */
export function useOwnUserMessage(): UserMessage {
  const message = useOwnMessage();
  if (message.role !== 'user') throw new Error('This view belongs to a person’s message.');
  return message;
}

/** The assistant's message that the view around stands for. */
export function useOwnAssistantMessage(): AssistantMessage {
  const message = useOwnMessage();
  if (message.role !== 'assistant') throw new Error('This view belongs to an assistant’s message.');
  return message;
}

'use client';

import { useAuiState } from '@assistant-ui/react';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import type { MessageExtras } from './convert-message.ts';

const useOwnMessage = (): Message => useAuiState((state) => (state.message.metadata.custom as MessageExtras).message);

/** Returns the user message in which the calling view is rendered. Throws anywhere else. */
export function useOwnUserMessage(): UserMessage {
  const message = useOwnMessage();
  if (message.role !== 'user') throw new Error('This view can only be used inside a user message.');
  return message;
}

/** Returns the assistant's message in which the calling view is rendered. Throws anywhere else. */
export function useOwnAssistantMessage(): AssistantMessage {
  const message = useOwnMessage();
  if (message.role !== 'assistant') throw new Error('This view can only be used inside an assistant message.');
  return message;
}

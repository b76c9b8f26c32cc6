'use client';

import { useAuiState } from '@assistant-ui/react';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import type { MessageExtras } from './convert-message.ts';

const useOwnMessage = (): Message => useAuiState((state) => (state.message.metadata.custom as MessageExtras).message);

/** The user message that the surrounding view belongs to. */
export function useOwnUserMessage(): UserMessage {
  const message = useOwnMessage();
  if (message.role !== 'user') throw new Error('This view can only be used inside a user message.');
  return message;
}

/** The assistant message that the surrounding view belongs to. */
export function useOwnAssistantMessage(): AssistantMessage {
  const message = useOwnMessage();
  if (message.role !== 'assistant') throw new Error('This view can only be used inside an assistant message.');
  return message;
}

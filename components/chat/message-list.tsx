'use client';

import { ThreadPrimitive } from '@assistant-ui/react';
import { AssistantMessage } from './assistant-message.tsx';
import { UserMessage } from './user-message.tsx';

const COMPONENTS = { UserMessage, AssistantMessage };

/** The open branch, message by message. */
export function MessageList() {
  return <ThreadPrimitive.Messages components={COMPONENTS} />;
}

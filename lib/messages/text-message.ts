import type { UserMessage } from './message.ts';

/** A user's message of plain text, with a new id. */
export function textMessage(text: string): UserMessage {
  return { id: crypto.randomUUID(), role: 'user', createdAt: Date.now(), parts: [{ type: 'text', text }] };
}

import type { AppendMessage } from '@assistant-ui/react';
import type { UserMessage } from '#lib/messages/message.ts';

/** What the composer hands over, as a message of ours with a new id. */
export function toUserMessage(message: AppendMessage): UserMessage {
  const parts: UserMessage['parts'] = [];
  for (const part of message.content)
    if (part.type === 'text' && part.text !== '') parts.push({ type: 'text', text: part.text });
  for (const attachment of message.attachments ?? []) {
    for (const part of attachment.content) {
      if (part.type === 'image')
        parts.push({ type: 'file', mediaType: mediaTypeOf(part.image), filename: attachment.name, url: part.image });
      else if (part.type === 'file')
        parts.push({ type: 'file', mediaType: part.mimeType, filename: attachment.name, url: part.data });
    }
  }
  return { id: crypto.randomUUID(), role: 'user', createdAt: Date.now(), parts };
}

/** A message of plain text. */
export function textMessage(text: string): UserMessage {
  return { id: crypto.randomUUID(), role: 'user', createdAt: Date.now(), parts: [{ type: 'text', text }] };
}

const mediaTypeOf = (url: string): string => /^data:([^;,]+)/.exec(url)?.[1] ?? 'application/octet-stream';

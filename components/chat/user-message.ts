import type { AppendMessage, useAui } from '@assistant-ui/react';
import { bytesOfDataUrl, mediaTypeOf } from '#lib/base/data-url.ts';
import type { UserMessage } from '#lib/messages/message.ts';

/** Converts a message of assistant-ui's composer to one of the studio, with a new id. */
export function toUserMessage(message: AppendMessage): UserMessage {
  const parts: UserMessage['parts'] = [];
  for (const part of message.content)
    if (part.type === 'text' && part.text !== '') parts.push({ type: 'text', text: part.text });
  for (const attachment of message.attachments ?? []) {
    for (const part of attachment.content) {
      if (part.type === 'image')
        parts.push({
          type: 'file',
          mediaType: mediaTypeOf(part.image) ?? 'application/octet-stream',
          filename: attachment.name,
          url: part.image,
        });
      else if (part.type === 'file')
        parts.push({ type: 'file', mediaType: part.mimeType, filename: attachment.name, url: part.data });
    }
  }
  return { id: crypto.randomUUID(), role: 'user', createdAt: Date.now(), parts };
}

/** Puts a message's text and files back into the composer. Its text goes before any text written there since. */
export async function putIntoComposer(
  composer: ReturnType<typeof useAui>['composer'],
  message: UserMessage,
): Promise<void> {
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  composer.setText([...text, composer.getState().text].filter((part) => part !== '').join('\n'));
  for (const part of message.parts) {
    if (part.type !== 'file') continue;
    await composer.addAttachment(new File([bytesOfDataUrl(part.url)], part.filename ?? '', { type: part.mediaType }));
  }
}

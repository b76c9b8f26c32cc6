import type { Message } from '#lib/messages/message.ts';

/**
 * A message as plain text: its texts, and in between the names of files and of called tools, in brackets. Reasoning and the
 * results of calls are left out.
 */
export function messageText(message: Message): string {
  const lines: string[] = [];
  for (const part of message.parts) {
    if (part.type === 'text') lines.push(part.text.trim());
    else if (part.type === 'file') lines.push(`[${part.filename ?? part.mediaType}]`);
    else if (part.type === 'tool-call') lines.push(`[${part.toolName}]`);
  }
  return lines.filter((line) => line !== '').join('\n\n');
}

import type { Message } from './message.ts';

/** The name of a part of a message, by which searches and views know it: a call's own id, or its place. */
export const partName = (messageId: string, index: number, part: Message['parts'][number]): string =>
  part.type === 'tool-call' ? part.toolCallId : `${messageId}/${index}`;

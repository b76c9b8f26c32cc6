import type { Message } from './message.ts';

/**
 * The name by which searches and views know a part of a message: a call's id or, for any other part, the message's id and
 * the index of the part.
 */
export const partName = (messageId: string, index: number, part: Message['parts'][number]): string =>
  part.type === 'tool-call' ? part.toolCallId : `${messageId}/${index}`;

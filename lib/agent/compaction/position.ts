import type { CompactionPart, Message } from '#lib/messages/message.ts';

type From = NonNullable<CompactionPart['summary']>['from'];

/** A position in a branch: the index of the message, and of the part in it. */
export interface Position {
  message: number;
  part: number;
}

/**
 * Checks whether a position precedes `from`, the point from which a summary keeps everything. False if the branch no longer
 * has the message of `from`.
 */
export function isBefore({ message, part }: Position, messages: readonly Message[], from: From): boolean {
  const end = messages.findIndex(({ id }) => id === from.messageId);
  return message < end || (message === end && part < from.part);
}

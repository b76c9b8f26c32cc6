import type { UserMessage } from '#lib/messages/message.ts';

/**
 * A message that was sent, but may be lost if the page is closed now, with the id of its thread. `isFirst`: whether the
 * thread is created with it.
 */
export type UnstoredMessage = readonly [threadId: string, sent: { message: UserMessage; isFirst: boolean }];

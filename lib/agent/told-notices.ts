import type { Message, Notice } from '#lib/messages/message.ts';

/**
 * Returns a step's notices, which tell the user what happened in it, without the one that some of the history was left out
 * (`history-trimmed`), if the latest such notice in the branch named the same number of messages: the user has already been
 * told. `messages`: the branch so far.
 */
export function withoutToldNotices(notices: readonly Notice[], messages: readonly Message[]): Notice[] {
  const told = messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .flatMap((part) => (part.type === 'step' ? part.notices : []))
    .findLast((notice) => notice.code === 'history-trimmed');
  return notices.filter((notice) => notice.code !== 'history-trimmed' || notice.messages !== told?.messages);
}

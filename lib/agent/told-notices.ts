import type { Message, Notice } from '#lib/messages/message.ts';

/** The notices of a step, without the one about left-out history if its last notice named the same number of messages. */
export function untold(notices: readonly Notice[], messages: readonly Message[]): Notice[] {
  const told = messages
    .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
    .flatMap((part) => (part.type === 'step' ? part.notices : []))
    .findLast((notice) => notice.code === 'history-trimmed');
  return notices.filter((notice) => notice.code !== 'history-trimmed' || notice.messages !== told?.messages);
}

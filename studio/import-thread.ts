import { settleThread } from '#lib/threads/adopt-thread.ts';
import type { MessageNode } from '#lib/threads/message-tree.ts';
import { titleOf } from '#lib/threads/new-thread.ts';
import type { Threads } from './threads.ts';

/**
 * Creates a thread from imported messages and opens it. Nothing in it resumes by itself. `systemPrompt`: the thread's own; null
 * for the default one.
 */
export async function importThread(
  threads: Threads,
  messages: readonly MessageNode[],
  systemPrompt: string | null,
): Promise<void> {
  const [first] = messages;
  await threads.add((empty) => {
    const thread = {
      ...empty,
      title: first === undefined ? '' : titleOf(first.message),
      titledBy: 'studio' as const,
      headId: messages.at(-1)?.message.id ?? null,
      settings: { ...empty.settings, systemPrompt },
    };
    return settleThread({ thread, messages });
  });
}

import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { UnstoredMessage } from '#studio/unstored-messages.ts';
import { UNSTORED_KEY } from './kept-keys.ts';
import { messageText } from './list/message-text.ts';

/**
 * Takes the messages that this tab could not store before it was closed or reloaded, and puts their texts into the drafts of
 * their threads, before any text there; that of a thread's first message goes to the draft of a new thread. Skips messages
 * that `store` has after all. Then forgets these messages.
 */
export async function takeUnstored(
  store: Pick<ThreadStore, 'branchEnd'>,
  drafts: { get(threadId: string): string },
  setDraft: (threadId: string, text: string) => void,
): Promise<void> {
  for (const [threadId, { message, isFirst }] of readUnstored()) {
    // If the store cannot be read, the text may be there twice afterwards, which is better than losing it.
    const stored = await store.branchEnd(threadId, message.id, 1).catch(() => []);
    if (stored.length > 0) continue;
    const place = isFirst ? '' : threadId;
    const since = drafts.get(place);
    setDraft(place, since === '' ? messageText(message) : `${messageText(message)}\n${since}`);
  }
  // Not removed earlier, because this page may also be closed too soon.
  sessionStorage.removeItem(UNSTORED_KEY);
}

function readUnstored(): UnstoredMessage[] {
  try {
    return JSON.parse(sessionStorage.getItem(UNSTORED_KEY) ?? '[]');
  } catch {
    // The browser refuses access, or the stored data is not from the studio.
    return [];
  }
}

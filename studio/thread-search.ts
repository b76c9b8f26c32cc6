import type { Message } from '#lib/messages/message.ts';
import { BUSY_MAX_MS, type FoundLine, firstFoundLine, searchPattern } from '#lib/threads/find/find.ts';
import { MessageTree } from '#lib/threads/message-tree.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';

/** A thread in whose open branch a search has found something, with the first matches. */
export interface FoundThread {
  thread: Thread;
  /** The first messages with a match, each with the line of its first one. */
  lines: { messageId: string; line: FoundLine }[];
  /** The number of further messages with a match, and the first of them. */
  more: { count: number; messageId: string } | undefined;
}

/** The maximum number of messages that are shown of each thread. */
const LINES_MAX = 3;
/** The maximum number of threads that `searchThreads` yields. */
export const THREADS_MAX = 50;

/**
 * Searches the open branches of threads, in the order of the threads, and yields each thread in which something was found, up
 * to `THREADS_MAX`. Leaves out threads that cannot be read. Ends without an error when the signal fires.
 */
export async function* searchThreads(
  store: Pick<ThreadStore, 'messages'>,
  threads: readonly Thread[],
  query: string,
  signal: AbortSignal,
): AsyncGenerator<FoundThread> {
  if (searchPattern(query) === undefined) return;
  let found = 0;
  for (const thread of threads) {
    const lines: FoundThread['lines'] = [];
    const branch = await branchOf(store, thread);
    let since = performance.now();
    for (const message of branch) {
      const first = firstFoundLine(message, query);
      if (first !== undefined) lines.push({ messageId: message.id, line: first.line });
      if (performance.now() - since < BUSY_MAX_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    if (lines.length === 0) continue;
    const next = lines[LINES_MAX];
    const more = next && { count: lines.length - LINES_MAX, messageId: next.messageId };
    yield { thread, lines: lines.slice(0, LINES_MAX), more };
    if (++found === THREADS_MAX) return;
  }
}

/** The open branch of a thread; empty if the thread cannot be read now. */
async function branchOf(store: Pick<ThreadStore, 'messages'>, thread: Thread): Promise<readonly Message[]> {
  try {
    return new MessageTree(await store.messages(thread.id)).branch(thread.headId);
  } catch {
    return [];
  }
}

/**
 * Checks whether `query` begins with the earlier query `before`, apart from case. If so, only the results for `before` need to
 * be searched, because it found everything that `query` finds. False if `before` is blank.
 */
export const continuesQuery = (query: string, before: string): boolean =>
  before.trim() !== '' && query.trim().toLowerCase().startsWith(before.trim().toLowerCase());

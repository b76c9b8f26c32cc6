import { BUSY_MAX_MS, type FoundLine, firstFoundLine, searchPattern } from '#lib/find/find.ts';
import { MessageTree } from '#lib/threads/message-tree.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';

/** What was found in the open branch of a thread. */
export interface FoundThread {
  thread: Thread;
  /** The first messages with a match, each with the line of its first one. */
  lines: { messageId: string; line: FoundLine }[];
  /** How many further messages have a match. */
  more: number;
}

/** How many messages are shown of each thread, and of how many threads. */
const LINES_MAX = 3;
const THREADS_MAX = 50;

/** Searches the messages of threads, in their order, and gives each thread in which something was found. */
export async function* searchThreads(
  store: Pick<ThreadStore, 'messages'>,
  threads: readonly Thread[],
  query: string,
  signal: AbortSignal,
): AsyncGenerator<FoundThread> {
  if (searchPattern(query) === undefined) return;
  let found = 0;
  for (const thread of threads) {
    // One that cannot be read now is left out.
    const nodes = await store.messages(thread.id).catch(() => []);
    const lines: FoundThread['lines'] = [];
    let since = performance.now();
    for (const message of new MessageTree(nodes).branch(thread.headId)) {
      const first = firstFoundLine(message, query);
      if (first !== undefined) lines.push({ messageId: message.id, line: first.line });
      if (performance.now() - since < BUSY_MAX_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
      if (signal.aborted) return;
    }
    if (signal.aborted) return;
    if (lines.length === 0) continue;
    yield { thread, lines: lines.slice(0, LINES_MAX), more: Math.max(0, lines.length - LINES_MAX) };
    if (++found === THREADS_MAX) return;
  }
}

import type { Message, Problem, UserMessage } from '#lib/messages/message.ts';
import type { Thread, ThreadSettings } from '#lib/threads/thread.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

export interface ThreadsState {
  /** All threads that are not deleted, newest first. */
  threads: readonly Thread[];
  /** The id of the open thread; null for a new thread in which nothing has been sent. */
  selectedId: string | null;
  /** The open thread's session; undefined while it is opening and in a new thread. */
  session: ThreadSession | undefined;
  /** The newest messages of the open thread, while its session is opening and as soon as they are read. */
  opening: readonly Message[] | undefined;
  /** The reason why the open thread could not be opened. */
  failed: Problem | undefined;
  /** The id that the next new thread will have. Whatever exists before its first message carries over into it. */
  draftId: string;
  /** The settings of the next new thread. */
  draft: ThreadSettings;
  /** The tools that the next new thread may run without asking. */
  draftGrants: readonly string[];
  /**
   * The workspace that the next new thread continues in; null if it gets its own. In a temporary workspace, the thread is
   * temporary, too.
   */
  draftWorkspaceId: string | null;
  /** The threads of the last deletion, while they can still be restored. */
  justDeleted: readonly Thread[];
  /**
   * The message that was not sent, and the problem, unless the user has cancelled. Cleared when the next one is sent, or
   * another thread is opened.
   */
  unsent: { message: UserMessage; problem?: Problem } | undefined;
}

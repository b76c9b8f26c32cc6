import type { UserMessage } from '#lib/messages/message.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';

/** A message that was sent. `isFirst`: whether its thread is created with it. */
export interface UnstoredMessage {
  threadId: string;
  isFirst: boolean;
  message: UserMessage;
}

/** The messages that were sent, but may be lost if the page is closed now. */
export class UnstoredMessages {
  readonly #messages = new Set<UnstoredMessage>();
  readonly #store: Pick<ThreadStore, 'branchEnd'>;

  constructor(store: Pick<ThreadStore, 'branchEnd'>) {
    this.#store = store;
  }

  list(): UnstoredMessage[] {
    return [...this.#messages];
  }

  /** Lists a message until `storing` has settled. */
  async until(message: UnstoredMessage, storing: () => Promise<void>): Promise<void> {
    this.#messages.add(message);
    try {
      await storing();
    } finally {
      this.#messages.delete(message);
    }
  }

  /** Whether a message of a thread is stored. */
  async isStored(threadId: string, messageId: string): Promise<boolean> {
    return (await this.#store.branchEnd(threadId, messageId, 1)).length > 0;
  }
}

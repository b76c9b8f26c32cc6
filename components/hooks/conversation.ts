'use client';

import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { KeptThreads } from './kept-state.ts';
import { Places } from './places.ts';

/**
 * The operations by which other views control the list of messages. Only rows near the viewport are in the document, so other
 * code cannot always find a message's row by itself.
 */
export interface MessageListHandle {
  /**
   * Focuses the message after (1) or before (-1) the focused one. If none is focused, that is the first (1) or the last (-1)
   * message. With `questions`, only the user's messages count; if no message is focused, they count from the top of the
   * viewport.
   */
  move(step: 1 | -1, only?: 'questions'): void;
  /** Shows the end, and follows it from then on. */
  scrollToEnd(): void;
  /** Scrolls to a message and resolves with its row; undefined if the message is not in the branch that is shown. */
  show(messageId: string): Promise<HTMLElement | undefined>;
  /** Stops following the end of the list. Must be called before other code scrolls it. */
  leaveEnd(): void;
  /** The id of the message at the top of the viewport; undefined if there is none. */
  firstInView(): string | undefined;
}

/** A search in a thread. `at`: the id of the message from which it starts; by default, the first message in view. */
export interface FindRequest {
  threadId: string;
  query: string;
  at?: string;
}

interface ConversationState {
  /** Whether the end of the open thread is in view. */
  isAtEnd: boolean;
  /** Present while the find bar is open; a new object for each request. */
  find: FindRequest | undefined;
}

/**
 * The state of the conversation that its views share: whether its end is in view, the search, the list of messages while it
 * is shown, and, for each thread, the states of its rows and the place where it was left.
 */
export class Conversation {
  readonly state = createStore<ConversationState>(() => ({ isAtEnd: true, find: undefined }));
  /** The states that the rows of each thread keep while they are not in the document. */
  readonly kept = new KeptThreads();
  /** The place where each thread was left. */
  readonly places = new Places();
  #list: MessageListHandle | undefined;

  get list(): MessageListHandle | undefined {
    return this.#list;
  }

  /** Makes a list of messages the one that `list` returns. The returned function removes it. */
  attach(list: MessageListHandle): () => void {
    this.#list = list;
    return () => {
      if (this.#list !== list) return;
      this.#list = undefined;
      this.setAtEnd(true);
    };
  }

  setAtEnd(isAtEnd: boolean): void {
    if (this.state.getState().isAtEnd !== isAtEnd) this.state.setState({ isAtEnd });
  }

  /** Opens the find bar with this search. If it is open, the search replaces the one before. */
  find(request: FindRequest): void {
    this.state.setState({ find: request });
  }

  closeFind(): void {
    this.state.setState({ find: undefined });
  }
}

export const ConversationContext = createContext<Conversation | undefined>(undefined);

export function useConversation(): Conversation {
  const conversation = useContext(ConversationContext);
  if (conversation === undefined) throw new Error('useConversation needs the studio’s layout above it.');
  return conversation;
}

export const useConversationState = <T>(select: (state: ConversationState) => T): T =>
  useStore(useConversation().state, select);

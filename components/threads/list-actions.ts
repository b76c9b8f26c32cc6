'use client';

import { createContext, useContext } from 'react';
import type { Thread } from '#lib/threads/thread.ts';

/**
 * A question that a dialog of the list of threads asks: how to delete threads, where to move them, or how a new folder is
 * called.
 */
export type ThreadQuestion =
  /**
   * `files`: for one thread, the number of files that no other thread uses; for several, the number of workspaces that no
   * other thread uses.
   */
  | { type: 'delete'; threads: readonly Thread[]; files: number }
  | { type: 'move'; threads: readonly Thread[] }
  | { type: 'new-folder' };

/** The actions that the components inside the list of threads can call. The same object as long as the list is mounted. */
export interface ListActions {
  /** Shows the dialog with a question. */
  ask(question: ThreadQuestion): void;
  /** Shows a field in place of the name of the thread or folder with this id; undefined removes the field. */
  rename(id: string | undefined): void;
  /** Selects a thread, or deselects it if it is selected. */
  toggle(id: string): void;
  /** Also selects the threads from the one that was selected last to this one. */
  selectTo(id: string): void;
  /** Deselects all threads. */
  clearSelection(): void;
  /** Says that threads were archived, with an Undo button. `threads`: as they were before; an empty list removes the notice. */
  noteArchived(threads: readonly Thread[]): void;
  /** Shows why a command of the list has failed; undefined removes the text. */
  report(problem: string | undefined): void;
}

export const ListActionsContext = createContext<ListActions | undefined>(undefined);

export function useListActions(): ListActions {
  const actions = useContext(ListActionsContext);
  if (actions === undefined) throw new Error('useListActions needs the list of threads above it.');
  return actions;
}

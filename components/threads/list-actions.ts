'use client';

import { createContext, useContext } from 'react';
import type { Thread } from '#lib/threads/thread.ts';

/** The question that a dialog of the list asks. */
export type ThreadQuestion =
  /** `files`: how many files of one thread, or how many workspaces of several, nothing else uses. */
  | { type: 'delete'; threads: readonly Thread[]; files: number }
  | { type: 'move'; threads: readonly Thread[] }
  | { type: 'new-folder' };

/** The actions of the list that its parts can use. The same object as long as the list is there. */
export interface ListActions {
  /** Shows a dialog. */
  ask(question: ThreadQuestion): void;
  /** Edits the name of a thread or a folder, by its id, in place; undefined ends that. */
  rename(id: string | undefined): void;
  /** Selects a thread or, if it is selected, no longer. */
  toggle(id: string): void;
  /** Selects the threads from the last one that was selected to this one. */
  selectTo(id: string): void;
  /** Ends selecting. */
  clearSelection(): void;
  /** Says that threads were archived, and offers to undo it, given how they were before; none ends that. */
  noteArchived(threads: readonly Thread[]): void;
  /** Shows why something has failed; undefined removes it. */
  report(problem: string | undefined): void;
}

export const ListActionsContext = createContext<ListActions | undefined>(undefined);

export function useListActions(): ListActions {
  const actions = useContext(ListActionsContext);
  if (actions === undefined) throw new Error('useListActions needs the list of threads above it.');
  return actions;
}

'use client';

import { createContext, useContext } from 'react';
import type { FilePlace } from '#studio/editing/editor-tabs.ts';

/** The sections of the settings. */
export const SETTINGS_SECTIONS = [
  'general',
  'models',
  'permissions',
  'tools',
  'editor',
  'shortcuts',
  'data',
  'about',
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** The items that the palette lists: all of them (`commands`), or only files or models. */
export type PaletteMode = 'commands' | 'files' | 'models';

/** The panes of a wide window, from left to right; `side` has the editor, the preview, and the console. */
export const PANES = ['threads', 'chat', 'files', 'side'] as const;

export type PaneName = (typeof PANES)[number];

/** The commands with which views open files, panes, and dialogs of the studio's layout. */
export interface Workbench {
  /**
   * Shows the workspace, if hidden, and opens a file in the editor. With a `place`, the editor gets the focus; `'here'` is
   * the user's last position in the file.
   */
  openFile(path: string, place?: FilePlace | 'here'): void;
  /** Shows the chat pane. Only needed in a narrow window, which shows one pane at a time. */
  showChat(): void;
  /** Shows the editor with the file that is open in it, if any. */
  showEditor(): void;
  showConsole(): void;
  /** Shows the preview of the workspace. */
  showPreview(): void;
  /** Shows the file search. */
  searchFiles(): void;
  /** Shows the history of the workspace's files. */
  showTimeline(): void;
  /** Shows the settings, at a section if one is given. */
  openSettings(section?: SettingsSection): void;
  /** Shows the system prompt of the open thread. */
  editSystemPrompt(): void;
  /** Asks for a key or an address to connect models with. */
  connectModel(): void;
  /** Shows the settings of a connection, with the focus on its key. */
  editConnection(id: string): void;
  /** Asks for the passphrase of the person's keys. */
  unlockKeys(): void;
  /** Shows the settings of a model, in the open thread and in all threads, and its examination. */
  openModelSettings(id: string): void;
  openPalette(mode: PaletteMode): void;
  /** Lets the person choose the model of the open thread and of new ones, and calls `onChosen` once they have. */
  chooseModel(onChosen: () => void): void;
  openShortcuts(): void;
  /** Starts a new thread, with its own files or with those of a workspace. */
  newThread(workspaceId?: string): void;
  openThread(id: string): void;
  /** Opens a thread at a message in which something was found. */
  openMessage(threadId: string, messageId: string, query: string): void;
  /**
   * Focuses the next (1) or previous (-1) message of the open thread; with `questions`, the next or previous one of the
   * user's messages.
   */
  moveInThread(step: 1 | -1, only?: 'questions'): void;
  /** Opens the find bar of the open thread. */
  findInThread(): void;
  toggleThreads(): void;
  toggleWorkspace(): void;
  /** Shows or hides the tree of files within the workspace. */
  toggleTree(): void;
  /** Shows a pane, if hidden, and gives it the focus. */
  focusPane(pane: PaneName): void;
  /** Moves the focus to the next (1) or previous (-1) shown pane. */
  focusNextPane(step: 1 | -1): void;
}

export const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === undefined) throw new Error('useWorkbench needs the studio’s layout above it.');
  return workbench;
}

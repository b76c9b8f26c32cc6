'use client';

import { createContext, useContext } from 'react';

/** What the palette offers: everything, or one kind of thing. */
export type PaletteMode = 'commands' | 'files' | 'models';

/** A place in a file; lines and columns count from 1. */
export interface FilePlace {
  line: number;
  column?: number;
  length?: number;
}

/** What views can ask of the layout around them. */
export interface Workbench {
  /**
   * Shows the workspace, if it is hidden, with a file open in the editor. With a place the keyboard goes there; `here` is
   * where the person was in it.
   */
  openFile(path: string, place?: FilePlace | 'here'): void;
  /** Shows the editor as it is. */
  showEditor(): void;
  showConsole(): void;
  /** Shows the workspace as a page that runs. */
  showPreview(): void;
  /** Shows the search in the workspace's files. */
  searchFiles(): void;
  /** Shows what has become of the workspace's files. */
  showTimeline(): void;
  openSettings(): void;
  openPalette(mode: PaletteMode): void;
  openShortcuts(): void;
  /** Begins a new thread, on files of its own or on those of a workspace. */
  newThread(workspaceId?: string): void;
  openThread(id: string): void;
  toggleThreads(): void;
  toggleWorkspace(): void;
}

export const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === undefined) throw new Error('useWorkbench needs the studio’s layout above it.');
  return workbench;
}

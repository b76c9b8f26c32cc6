'use client';

import { createContext, useContext } from 'react';

/** What the palette offers: everything, or one kind of thing. */
export type PaletteMode = 'commands' | 'files' | 'models' | 'search';

/** What views can ask of the layout around them. */
export interface Workbench {
  /** Shows the workspace, if it is hidden, with a file open in the editor. */
  openFile(path: string): void;
  openSettings(): void;
  openPalette(mode: PaletteMode): void;
  openShortcuts(): void;
  newThread(): void;
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

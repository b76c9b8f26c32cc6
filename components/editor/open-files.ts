import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { isWithin } from '#lib/vfs/paths.ts';

export interface OpenFile {
  path: string;
  /** Whether it has edits that are not in the workspace yet. */
  isDirty: boolean;
  /** Whether these edits wait for the person to decide, so that closing the tab would drop them. */
  isStuck: boolean;
}

interface OpenFilesState {
  files: readonly OpenFile[];
  activePath: string | undefined;
}

/** The editor's tabs, kept for as long as the browser's tab is. Their contents are Monaco's and the workspace's. */
export const openFiles = createStore<OpenFilesState>()(
  persist((): OpenFilesState => ({ files: [], activePath: undefined }), {
    name: 'roundtrip-studio:open-files',
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ files, activePath }) => ({
      files: files.map(({ path }) => ({ path, isDirty: false, isStuck: false })),
      activePath,
    }),
    // The server has no storage: the layout restores them.
    skipHydration: true,
  }),
);

/** Opens again the tabs that were open before the page was loaded. */
export function restoreTabs(): void {
  void openFiles.persist.rehydrate();
}

export function openTab(path: string): void {
  openFiles.setState(({ files }) => ({
    files: files.some((file) => file.path === path) ? files : [...files, { path, isDirty: false, isStuck: false }],
    activePath: path,
  }));
}

export function closeTab(path: string): void {
  openFiles.setState(({ files, activePath }) => {
    const index = files.findIndex((file) => file.path === path);
    const rest = files.filter((file) => file.path !== path);
    const next = activePath === path ? rest[Math.min(index, rest.length - 1)]?.path : activePath;
    return { files: rest, activePath: next };
  });
}

export function markEdits(path: string, edits: Pick<OpenFile, 'isDirty' | 'isStuck'>): void {
  openFiles.setState(({ files }) => {
    const file = files.find((open) => open.path === path);
    if (file === undefined || (file.isDirty === edits.isDirty && file.isStuck === edits.isStuck)) return {};
    return { files: files.map((open) => (open === file ? { ...open, ...edits } : open)) };
  });
}

/** Tabs of a file or folder that was renamed go on under its new path. */
export function moveTabs(from: string, to: string): void {
  const moved = (path: string) => (isWithin(path, from) ? to + path.slice(from.length) : path);
  openFiles.setState(({ files, activePath }) => ({
    files: files.map((file) =>
      isWithin(file.path, from) ? { path: moved(file.path), isDirty: false, isStuck: false } : file,
    ),
    activePath: activePath === undefined ? undefined : moved(activePath),
  }));
}

const savers = new Map<string, () => Promise<void>>();

/** Names what saves an open file, until the returned function is called. */
export function registerSaver(path: string, save: () => Promise<void>): () => void {
  savers.set(path, save);
  return () => {
    if (savers.get(path) === save) savers.delete(path);
  };
}

/** Saves what is being edited at a path and below it. */
export async function saveUnder(path: string): Promise<void> {
  await Promise.all([...savers].filter(([open]) => isWithin(open, path)).map(([, save]) => save()));
}

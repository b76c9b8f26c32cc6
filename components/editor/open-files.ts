import { createStore, type StoreApi } from 'zustand/vanilla';

export interface OpenFile {
  path: string;
  /** Whether it has edits that are not in the workspace yet. */
  isDirty: boolean;
}

interface OpenFilesState {
  files: readonly OpenFile[];
  activePath: string | undefined;
}

/** The editor's tabs. Their contents are Monaco's and the workspace's. */
export const openFiles: StoreApi<OpenFilesState> = createStore<OpenFilesState>(() => ({
  files: [],
  activePath: undefined,
}));

export function openTab(path: string): void {
  openFiles.setState(({ files }) => ({
    files: files.some((file) => file.path === path) ? files : [...files, { path, isDirty: false }],
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

export function markDirty(path: string, isDirty: boolean): void {
  openFiles.setState(({ files }) => {
    if (!files.some((file) => file.path === path && file.isDirty !== isDirty)) return {};
    return { files: files.map((file) => (file.path === path ? { ...file, isDirty } : file)) };
  });
}

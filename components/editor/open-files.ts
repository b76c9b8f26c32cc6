import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import type { FilePlace } from '#components/runtime/workbench.ts';
import { isWithin } from '#lib/vfs/paths.ts';
import type { FileContent } from '#lib/vfs/workspace-storage.ts';

/** One side of a comparison: contents of the past, the file as it is, or nothing where there was no file. */
export type ComparedContent = FileContent | 'current' | null;

/** What a tab shows. */
export type OpenView =
  | { type: 'file' }
  /** What became of the file from one point to another. */
  | { type: 'diff'; before: ComparedContent; after: ComparedContent; label: string }
  /** What the model is writing; nothing of it is in the workspace yet. */
  | { type: 'live'; toolCallId: string };

export interface OpenFile {
  /** Unique among the tabs; that of a file is its path. */
  id: string;
  path: string;
  view: OpenView;
  /** Whether it has edits that are not in the workspace yet. */
  isDirty: boolean;
  /** Whether these edits wait for the person to decide, so that closing the tab would drop them. */
  isStuck: boolean;
}

interface Tabs {
  files: readonly OpenFile[];
  activeId: string | undefined;
}

interface OpenFilesState extends Tabs {
  /** Whose files these are. */
  workspaceId: string | undefined;
  /** The tabs of the workspaces that are not shown. */
  hidden: Readonly<Record<string, Tabs>>;
  /** Where the keyboard goes in a file as soon as it is shown. */
  reveal: { path: string; place: FilePlace | 'here'; isLate: boolean } | undefined;
}

const NO_TABS: Tabs = { files: [], activeId: undefined };

/** The editor's tabs, kept for as long as the browser's tab is. Their contents are Monaco's and the workspace's. */
export const openFiles = createStore<OpenFilesState>()(
  persist((): OpenFilesState => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }), {
    name: 'roundtrip-studio:open-files',
    version: 1,
    // Of an earlier version, which knew one workspace, nothing is taken over.
    migrate: () => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }),
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ files, activeId, workspaceId, hidden }) => ({
      ...lasting({ files, activeId }),
      workspaceId,
      hidden: Object.fromEntries(Object.entries(hidden).map(([id, tabs]) => [id, lasting(tabs)])),
    }),
    // The server has no storage: the layout restores them.
    skipHydration: true,
  }),
);

/** The tabs that a reload brings back. */
function lasting({ files, activeId }: Tabs): Tabs {
  const kept = files.filter(({ view }) => view.type === 'file');
  const isKept = kept.some(({ id }) => id === activeId);
  return {
    files: kept.map((file) => ({ ...file, isDirty: false, isStuck: false })),
    activeId: isKept ? activeId : kept.at(-1)?.id,
  };
}

/** Opens again the tabs that were open before the page was loaded. */
export function restoreTabs(): void {
  void openFiles.persist.rehydrate();
}

/** Shows the tabs of a workspace. Those of the one before come back with it. */
export function showTabsOf(workspaceId: string): void {
  openFiles.setState(({ files, activeId, workspaceId: before, hidden }) => {
    if (before === workspaceId) return {};
    const { [workspaceId]: shown = NO_TABS, ...rest } = hidden;
    return {
      ...shown,
      workspaceId,
      hidden: before === undefined ? rest : { ...rest, [before]: { files, activeId } },
      reveal: undefined,
    };
  });
}

/** Opens a file. With a place the keyboard goes there; `here` is where the person was in it. */
export function openTab(path: string, place?: FilePlace | 'here'): void {
  const reveal = place === undefined ? undefined : { path, place, isLate: false };
  openView(path, path, { type: 'file' });
  openFiles.setState({ reveal });
}

/** The person has gone elsewhere with the keyboard: a file that is still to be shown does not take it any more. */
export function keepKeyboard(): void {
  const { reveal } = openFiles.getState();
  // At every key and click: only what changes anything is stored.
  if (reveal?.isLate === false) openFiles.setState({ reveal: { ...reveal, isLate: true } });
}

/** Shows what became of a file between two points. */
export function openDiff(path: string, view: Omit<Extract<OpenView, { type: 'diff' }>, 'type'>): void {
  openView(`diff:${path}`, path, { type: 'diff', ...view });
}

/** Shows what the model is writing into a file. */
export function openLive(path: string, toolCallId: string): void {
  openView(`live:${toolCallId}`, path, { type: 'live', toolCallId });
}

function openView(id: string, path: string, view: OpenView): void {
  openFiles.setState(({ files }) => {
    const known = files.find((file) => file.id === id);
    const file: OpenFile = { isDirty: false, isStuck: false, ...known, id, path, view };
    return { files: known === undefined ? [...files, file] : files.with(files.indexOf(known), file), activeId: id };
  });
}

export function showTab(id: string): void {
  openFiles.setState(({ files }) => (files.some((file) => file.id === id) ? { activeId: id } : {}));
}

export function closeTab(id: string): void {
  openFiles.setState(({ files, activeId }) => {
    const index = files.findIndex((file) => file.id === id);
    const rest = files.filter((file) => file.id !== id);
    const next = activeId === id ? rest[Math.min(index, rest.length - 1)]?.id : activeId;
    return { files: rest, activeId: next };
  });
}

export function markEdits(
  workspaceId: string,
  path: string,
  { isDirty, isStuck }: Pick<OpenFile, 'isDirty' | 'isStuck'>,
): void {
  const mark = (files: readonly OpenFile[]): readonly OpenFile[] => {
    const file = files.find(({ id }) => id === path);
    if (file === undefined || (file.isDirty === isDirty && file.isStuck === isStuck)) return files;
    return files.with(files.indexOf(file), { ...file, isDirty, isStuck });
  };
  openFiles.setState(({ workspaceId: shown, files, hidden }) => {
    if (shown === workspaceId) return { files: mark(files) };
    const tabs = hidden[workspaceId];
    return tabs === undefined ? {} : { hidden: { ...hidden, [workspaceId]: { ...tabs, files: mark(tabs.files) } } };
  });
}

/** Tabs of a file or folder that was renamed go on under its new path. */
export function moveTabs(from: string, to: string): void {
  const moved = (path: string) => (isWithin(path, from) ? to + path.slice(from.length) : path);
  openFiles.setState(({ files, activeId }) => ({
    files: files.map((file) =>
      file.view.type === 'file' && isWithin(file.path, from)
        ? { ...file, id: moved(file.path), path: moved(file.path), isDirty: false, isStuck: false }
        : file,
    ),
    activeId: files.some(({ id, view }) => id === activeId && view.type === 'file') ? moved(activeId ?? '') : activeId,
  }));
}

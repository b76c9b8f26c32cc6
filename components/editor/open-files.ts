import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import type { FilePlace } from '#components/runtime/workbench.ts';
import { isWithin } from '#lib/vfs/paths.ts';
import type { FileContent } from '#lib/vfs/workspace-storage.ts';

/** One side of a comparison: past content, the current file, or null if there was no file. */
export type ComparedContent = FileContent | 'current' | null;

/** What a tab shows. */
export type OpenView =
  | { type: 'file' }
  /** The changes of the file between two points. */
  | { type: 'diff'; before: ComparedContent; after: ComparedContent; label: string }
  /** What the model is writing; none of it is in the workspace yet. */
  | { type: 'live'; toolCallId: string };

export interface OpenFile {
  /** Unique among the tabs; for a file it is the path. */
  id: string;
  path: string;
  view: OpenView;
  /** Whether it has edits that are not yet in the workspace. */
  isDirty: boolean;
  /** Whether these edits wait for the user's decision, so that closing the tab would drop them. */
  isStuck: boolean;
}

interface Tabs {
  files: readonly OpenFile[];
  activeId: string | undefined;
}

interface OpenFilesState extends Tabs {
  /** The workspace of these files. */
  workspaceId: string | undefined;
  /** The tabs of the other workspaces. */
  hidden: Readonly<Record<string, Tabs>>;
  /** The position in a file that gets the focus as soon as the file is shown. */
  reveal: { path: string; place: FilePlace | 'here'; isLate: boolean } | undefined;
}

const NO_TABS: Tabs = { files: [], activeId: undefined };

/** The editor's tabs, kept as long as the browser's tab. Their contents belong to Monaco and the workspace. */
export const openFiles = createStore<OpenFilesState>()(
  persist((): OpenFilesState => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }), {
    name: 'roundtrip-studio:open-files',
    version: 1,
    // Nothing is taken over from an earlier version, which had only one workspace.
    migrate: () => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }),
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ files, activeId, workspaceId, hidden }) => ({
      ...lasting({ files, activeId }),
      workspaceId,
      hidden: Object.fromEntries(Object.entries(hidden).map(([id, tabs]) => [id, lasting(tabs)])),
    }),
    // There is no storage on the server, so the layout restores the tabs.
    skipHydration: true,
  }),
);

/** The tabs that a reload restores. */
function lasting({ files, activeId }: Tabs): Tabs {
  const kept = files.filter(({ view }) => view.type === 'file');
  const isKept = kept.some(({ id }) => id === activeId);
  return {
    files: kept.map((file) => ({ ...file, isDirty: false, isStuck: false })),
    activeId: isKept ? activeId : kept.at(-1)?.id,
  };
}

/** Restores the tabs that were open before the page was loaded. */
export function restoreTabs(): void {
  void openFiles.persist.rehydrate();
}

/** Shows the tabs of a workspace. The previous workspace's tabs come back with it. */
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

/** Opens a file. With a position the editor gets the focus; `here` is the user's last position in the file. */
export function openTab(path: string, place?: FilePlace | 'here'): void {
  const reveal = place === undefined ? undefined : { path, place, isLate: false };
  openView(path, path, { type: 'file' });
  openFiles.setState({ reveal });
}

/** The user has moved the focus elsewhere: a file that is still loading must not take it anymore. */
export function keepKeyboard(): void {
  const { reveal } = openFiles.getState();
  // This runs at every key and click, so only an actual change is stored.
  if (reveal?.isLate === false) openFiles.setState({ reveal: { ...reveal, isLate: true } });
}

/** Shows the changes of a file between two points. */
export function openDiff(path: string, view: Omit<Extract<OpenView, { type: 'diff' }>, 'type'>): void {
  openView(`diff:${path}`, path, { type: 'diff', ...view });
}

/** Shows what the model is writing to a file. */
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

/** Keeps the tabs of a renamed file or folder open under its new path. */
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

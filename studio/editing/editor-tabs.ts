import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { isTemporary } from '#lib/threads/temporary.ts';
import { isWithin } from '#lib/vfs/paths.ts';
import type { FileContent } from '#lib/vfs/workspace-storage.ts';

/** A position in a file; lines and columns count from 1. */
export interface FilePlace {
  line: number;
  column?: number;
  /** The number of characters to select; 0 if absent. */
  length?: number;
}

/** One side of a comparison: past content, the current file, or null if there was no file. */
export type ComparedContent = FileContent | 'current' | null;

/** The view of a file that an editor tab shows. */
export type OpenView =
  /** The file itself, in the editor. */
  | { type: 'file' }
  /** The changes of the file from an earlier state to a later one. `label`: a title of the changes, for the user. */
  | { type: 'diff'; before: ComparedContent; after: ComparedContent; label: string }
  /** The text that the model is writing to the file in a call; none of it is in the workspace yet. */
  | { type: 'live'; toolCallId: string }
  /** The changes that a call would make to the file, for the user to review. */
  | { type: 'review'; toolCallId: string };

export interface OpenFile {
  /** Unique among the tabs; for a file it is the path. */
  id: string;
  path: string;
  view: OpenView;
  /** Whether the file has edits that are not yet in the workspace. */
  isDirty: boolean;
  /** Whether the file's unsaved edits wait for the user's decision, so that closing the tab would drop them. */
  isStuck: boolean;
  /**
   * Whether the file was opened only because the model has just written it: the next file that the model writes takes its
   * place.
   */
  isPassing?: true;
}

interface Tabs {
  files: readonly OpenFile[];
  activeId: string | undefined;
}

export interface EditorTabsState extends Tabs {
  /** The workspace of `files`; undefined until one is shown. */
  workspaceId: string | undefined;
  /** The tabs of the other workspaces. */
  hidden: Readonly<Record<string, Tabs>>;
  /**
   * The position in a file that gets the focus as soon as the file is shown. `isLate`: whether the user has moved the focus
   * elsewhere since, where it then stays.
   */
  reveal: { path: string; place: FilePlace | 'here'; isLate: boolean } | undefined;
}

const NO_TABS: Tabs = { files: [], activeId: undefined };

/**
 * The editor's tabs, which are kept until the browser's tab is closed. The texts of the files are not here, but in Monaco,
 * the editor, and in the workspace.
 */
export class EditorTabs {
  readonly state = createStore<EditorTabsState>()(
    persist((): EditorTabsState => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }), {
      name: 'roundtrip-studio:open-files',
      version: 1,
      // Nothing is taken over from an earlier version, which had only one workspace.
      migrate: () => ({ ...NO_TABS, workspaceId: undefined, hidden: {}, reveal: undefined }),
      storage: createJSONStorage(() => sessionStorage),
      partialize: ({ files, activeId, workspaceId, hidden }) => ({
        ...(workspaceId !== undefined && isTemporary(workspaceId)
          ? { ...NO_TABS, workspaceId: undefined }
          : { ...lasting({ files, activeId }), workspaceId }),
        hidden: Object.fromEntries(
          Object.entries(hidden).flatMap(([id, tabs]) => (isTemporary(id) ? [] : [[id, lasting(tabs)]])),
        ),
      }),
      // The layout restores the tabs when it is there to show them.
      skipHydration: true,
    }),
  );

  #reviewedTurn: string | undefined;

  /** Restores the tabs that were open before the page was loaded: those of files, except in temporary workspaces. */
  restore(): void {
    // A browser that denies its storage has nothing to restore, and nothing that restores.
    const { persist: kept } = this.state as Partial<Pick<typeof this.state, 'persist'>>;
    void kept?.rehydrate();
  }

  /** Shows the tabs of a workspace. The previous workspace's tabs come back with it. */
  showWorkspace(workspaceId: string): void {
    this.state.setState(({ files, activeId, workspaceId: before, hidden }) => {
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
  open(path: string, place?: FilePlace | 'here'): void {
    const reveal = place === undefined ? undefined : { path, place, isLate: false };
    this.#openView(path, path, { type: 'file' });
    this.state.setState({ reveal });
  }

  /** Notes that the user has moved the focus elsewhere: a file that is still loading must not take it anymore. */
  keepKeyboard(): void {
    const { reveal } = this.state.getState();
    // This runs at every key and click, so only an actual change is stored.
    if (reveal?.isLate === false) this.state.setState({ reveal: { ...reveal, isLate: true } });
  }

  /** Forgets the position that was asked for, because the editor has shown it. */
  revealed(): void {
    this.state.setState({ reveal: undefined });
  }

  /** Shows the changes of a file between two points. */
  openDiff(path: string, view: Omit<Extract<OpenView, { type: 'diff' }>, 'type'>): void {
    this.#openView(`diff:${path}`, path, { type: 'diff', ...view });
  }

  /**
   * Shows what the model is writing to a file. Closes the tab of what it was writing before, and those of unedited files that
   * were opened only because it had written them.
   */
  openLive(path: string, toolCallId: string): void {
    const isOver = ({ view, isPassing, isDirty }: OpenFile) => view.type === 'live' || (isPassing && !isDirty);
    this.state.setState(({ files }) => ({ files: files.filter((file) => !isOver(file)) }));
    this.#openView(liveTabId(toolCallId), path, { type: 'live', toolCallId });
  }

  /** Shows what a call would write to a file. There is one tab for all files of the call. */
  openReview(path: string, toolCallId: string): void {
    this.#openView(`review:${toolCallId}`, path, { type: 'review', toolCallId });
  }

  /**
   * Closes the tab of a call that was reviewed, and notes the call's turn for `isReviewing`. `later`: the calls that are still
   * to be reviewed; the first of them opens, if there is one.
   */
  endReview(
    toolCallId: string,
    { turnId, later }: { turnId: string; later: readonly { toolCallId: string; paths: readonly string[] }[] },
  ): void {
    this.#reviewedTurn = turnId;
    const [next] = later;
    if (next !== undefined) this.openReview(next.paths[0] ?? '/', next.toolCallId);
    this.close(`review:${toolCallId}`);
  }

  /**
   * Checks whether the call that the user reviewed last in this page is of this turn, so that its next one can open by itself.
   */
  isReviewing(turnId: string): boolean {
    return this.#reviewedTurn === turnId;
  }

  /**
   * Closes the tab of a call that was writing. If it was shown, the file at `written` is opened instead. `written` is undefined
   * if nothing was written.
   */
  closeLive(toolCallId: string, written: string | undefined): void {
    const id = liveTabId(toolCallId);
    const { activeId, files } = this.state.getState();
    this.close(id);
    if (activeId !== id || written === undefined) return;
    const wasOpen = files.some((file) => file.id === written);
    this.open(written);
    if (!wasOpen) this.#change(written, (file) => ({ ...file, isPassing: true }));
  }

  /** Shows a tab that the user has chosen. The model's next file no longer takes its place. */
  show(id: string): void {
    this.state.setState(({ files }) => (files.some((file) => file.id === id) ? { activeId: id } : {}));
    this.#change(id, ({ isPassing: _, ...file }) => file);
  }

  close(id: string): void {
    this.state.setState(({ files, activeId }) => {
      const index = files.findIndex((file) => file.id === id);
      const rest = files.filter((file) => file.id !== id);
      const next = activeId === id ? rest[Math.min(index, rest.length - 1)]?.id : activeId;
      return { files: rest, activeId: next };
    });
  }

  /** Shows whether a file of a workspace has unsaved edits. */
  mark(workspaceId: string, path: string, { isDirty, isStuck }: Pick<OpenFile, 'isDirty' | 'isStuck'>): void {
    const mark = (files: readonly OpenFile[]): readonly OpenFile[] => {
      const file = files.find(({ id }) => id === path);
      if (file === undefined || (file.isDirty === isDirty && file.isStuck === isStuck)) return files;
      return files.with(files.indexOf(file), { ...file, isDirty, isStuck });
    };
    this.state.setState(({ workspaceId: shown, files, hidden }) => {
      if (shown === workspaceId) return { files: mark(files) };
      const tabs = hidden[workspaceId];
      return tabs === undefined ? {} : { hidden: { ...hidden, [workspaceId]: { ...tabs, files: mark(tabs.files) } } };
    });
  }

  /** Keeps the tabs of a renamed file or folder open under its new path. */
  move(from: string, to: string): void {
    const moved = (path: string) => (isWithin(path, from) ? to + path.slice(from.length) : path);
    this.state.setState(({ files, activeId }) => ({
      files: files.map((file) =>
        file.view.type === 'file' && isWithin(file.path, from)
          ? { ...file, id: moved(file.path), path: moved(file.path), isDirty: false, isStuck: false }
          : file,
      ),
      activeId: files.some(({ id, view }) => id === activeId && view.type === 'file')
        ? moved(activeId ?? '')
        : activeId,
    }));
  }

  #change(id: string, change: (file: OpenFile) => OpenFile): void {
    this.state.setState(({ files }) => ({ files: files.map((file) => (file.id === id ? change(file) : file)) }));
  }

  #openView(id: string, path: string, view: OpenView): void {
    this.state.setState(({ files }) => {
      const known = files.find((file) => file.id === id);
      const file: OpenFile = { isDirty: false, isStuck: false, ...known, id, path, view };
      return { files: known === undefined ? [...files, file] : files.with(files.indexOf(known), file), activeId: id };
    });
  }
}

const liveTabId = (toolCallId: string): string => `live:${toolCallId}`;

/** The tabs that a reload restores. */
function lasting({ files, activeId }: Tabs): Tabs {
  const kept = files.filter(({ view }) => view.type === 'file');
  const isKept = kept.some(({ id }) => id === activeId);
  return {
    files: kept.map((file) => ({ ...file, isDirty: false, isStuck: false })),
    activeId: isKept ? activeId : kept.at(-1)?.id,
  };
}

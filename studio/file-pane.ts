import { createStore, type StoreApi } from 'zustand/vanilla';

/** The view in the file pane: the tree of files, a search in them, or the timeline of their changes. */
export type PaneView = 'tree' | 'search' | 'timeline';

interface FilePaneState {
  view: PaneView;
  /** Incremented each time the user asks for a view, so that it can take the focus. */
  asked: number;
  /** A notice about the last download of a zip. */
  zipNotice?: ZipNotice | undefined;
}

/** The error that kept a zip from being made, or the paths in it that Windows does not allow. */
type ZipNotice = { type: 'failed'; error: unknown } | { type: 'unportable'; paths: readonly string[] };

/** The state in which the tree of a workspace was last shown. */
interface ShownTree {
  expanded: readonly string[];
  scrollTop: number;
}

/** A search in the files of a workspace. */
export interface FileQuery {
  /** A text or, with `isRegex`, a regular expression. */
  pattern: string;
  /** A pattern of the paths to search; empty for all files. */
  glob: string;
  isRegex: boolean;
  matchCase: boolean;
}

/** The view in the file pane, and the trees and searches of workspaces, kept while something else is shown. */
export class FilePaneViews {
  readonly state: StoreApi<FilePaneState> = createStore<FilePaneState>(() => ({ view: 'tree', asked: 0 }));
  /** The state in which the tree of each workspace was last shown, by the workspace's id. */
  readonly trees = new Map<string, ShownTree>();
  /** The last search in each workspace, by the workspace's id. */
  readonly searches = new Map<string, { query: FileQuery; replacement: string }>();
  #focused = 0;

  /** Shows a view, which then takes the focus (see `takeFocus`). */
  show(view: PaneView): void {
    this.state.setState(({ asked }) => ({ view, asked: asked + 1 }));
  }

  /**
   * Checks whether a view takes the focus now. True only in the first call after each time that the user asks for a view.
   * `asked`: the count in the state.
   */
  takeFocus(asked: number): boolean {
    if (asked === this.#focused) return false;
    this.#focused = asked;
    return true;
  }
}

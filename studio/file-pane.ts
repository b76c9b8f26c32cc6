import { createStore, type StoreApi } from 'zustand/vanilla';

/** The view in the file pane. */
export type PaneView = 'tree' | 'search' | 'timeline';

interface FilePaneState {
  view: PaneView;
  /** Incremented each time the user asks for a view, so that it can take the focus. */
  asked: number;
  /** A notice about the last download of a zip. */
  zipNotice?: ZipNotice | undefined;
}

/** The error that kept a zip from being made, or the paths in it that Windows does not allow. */
export type ZipNotice = { type: 'failed'; error: unknown } | { type: 'unportable'; paths: readonly string[] };

/** How the tree of a workspace was last shown. */
interface ShownTree {
  expanded: readonly string[];
  scrollTop: number;
}

/** What to look for in the files of a workspace. */
export interface FileQuery {
  pattern: string;
  glob: string;
  isRegex: boolean;
  matchCase: boolean;
}

/** What the file pane shows, and what it keeps by workspace while another view or another workspace is shown. */
export class FilePaneViews {
  readonly state: StoreApi<FilePaneState> = createStore<FilePaneState>(() => ({ view: 'tree', asked: 0 }));
  readonly trees = new Map<string, ShownTree>();
  readonly searches = new Map<string, { query: FileQuery; replacement: string }>();
  #focused = 0;

  show(view: PaneView): void {
    this.state.setState(({ asked }) => ({ view, asked: asked + 1 }));
  }

  /** Whether a view that the user has asked for, as counted in the state, takes the focus: only the first time. */
  takeFocus(asked: number): boolean {
    if (asked === this.#focused) return false;
    this.#focused = asked;
    return true;
  }
}

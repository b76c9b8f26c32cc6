import { create } from 'zustand';

/** The view in the file pane. */
export type PaneView = 'tree' | 'search' | 'timeline';

interface PaneState {
  view: PaneView;
  /** Incremented each time the user asks for a view, so that it can take the focus. */
  asked: number;
}

/** What a view of a workspace shows, kept while another view or another workspace is shown. */
interface TreeView {
  expanded: readonly string[];
  scrollTop: number;
}

export const treeViews = new Map<string, TreeView>();

export const usePaneView = create<PaneState>(() => ({ view: 'tree', asked: 0 }));

export const showPaneView = (view: PaneView): void => usePaneView.setState(({ asked }) => ({ view, asked: asked + 1 }));

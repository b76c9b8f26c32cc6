import { create } from 'zustand';

/** What the file pane shows. */
export type PaneView = 'tree' | 'search' | 'timeline';

interface PaneState {
  view: PaneView;
  /** Grows each time the person asks for a view, so that it can take the focus. */
  asked: number;
}

export const usePaneView = create<PaneState>(() => ({ view: 'tree', asked: 0 }));

export const showPaneView = (view: PaneView): void => usePaneView.setState(({ asked }) => ({ view, asked: asked + 1 }));

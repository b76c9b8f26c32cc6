import { create } from 'zustand';

/** What the file pane shows. */
export type PaneView = 'tree' | 'search' | 'timeline';

export const usePaneView = create<{ view: PaneView }>(() => ({ view: 'tree' }));

export const showPaneView = (view: PaneView): void => usePaneView.setState({ view });

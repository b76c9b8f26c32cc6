import * as z from 'zod';
import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import type { Width } from './use-window-width.ts';

/** The widths at which panes are side by side; each has a layout of its own. */
type WideWidth = Exclude<Width, 'narrow'>;

/** The panes that the person can hide, next to the chat. `tree`: the list of files, which is a part of the workspace pane. */
export type HidablePane = 'threads' | 'workspace' | 'tree';

const paneSchema = z.object({
  /** The pane's width, in percent of the window; for the tree, of the workspace. */
  size: z.number().min(0).max(100),
  isShown: z.boolean(),
});

/** The panes' widths, in percent, and whether the list of threads and the tree of files are shown. */
const layoutSchema = z.object({ threads: paneSchema, tree: paneSchema, workspaceSize: z.number().min(0).max(100) });

export type WidthLayout = z.infer<typeof layoutSchema>;

/** The layouts until the person changes them. Sizes are in percent. In a `medium` window, the lists are hidden. */
export const DEFAULT_LAYOUTS: Readonly<Record<WideWidth, WidthLayout>> = {
  medium: { threads: { size: 24, isShown: false }, tree: { size: 36, isShown: false }, workspaceSize: 50 },
  wide: { threads: { size: 16, isShown: true }, tree: { size: 27, isShown: true }, workspaceSize: 44 },
  widest: { threads: { size: 13, isShown: true }, tree: { size: 22, isShown: true }, workspaceSize: 45 },
};

/** The most workspaces of which the studio remembers whether their pane is shown. */
const WORKSPACES_MAX = 200;

const stateSchema = z.object({
  layouts: z
    .object({
      medium: layoutSchema.catch(DEFAULT_LAYOUTS.medium),
      wide: layoutSchema.catch(DEFAULT_LAYOUTS.wide),
      widest: layoutSchema.catch(DEFAULT_LAYOUTS.widest),
    })
    .catch(DEFAULT_LAYOUTS),
  /** Whether a workspace is shown, by its id; absent until it has files or the person has opened it. */
  workspaces: z.record(z.string(), z.boolean()).catch({}),
});

export type LayoutState = z.infer<typeof stateSchema>;

/** The key under which `localStorage` keeps the layout: the widths of the panes, and which of them are shown. */
export const LAYOUT_KEY = 'roundtrip-studio:layout';

/**
 * Creates the store for the layout of panes, which this browser keeps in `localStorage`. Damaged or unknown values fall back
 * to the defaults.
 */
export const createLayoutStore = () =>
  createStore<LayoutState>()(
    persist((): LayoutState => ({ layouts: { ...DEFAULT_LAYOUTS }, workspaces: {} }), {
      name: LAYOUT_KEY,
      version: 1,
      storage: createJSONStorage(() => localStorage),
      merge: (stored, initial) => stateSchema.safeParse(stored).data ?? initial,
    }),
  );

/**
 * Returns the layouts of all widths, with the one at `width` changed. `change` returns the properties that get new values.
 */
export const withLayout = (
  { layouts }: LayoutState,
  width: WideWidth,
  change: (layout: WidthLayout) => Partial<WidthLayout>,
): Pick<LayoutState, 'layouts'> => ({
  layouts: { ...layouts, [width]: { ...layouts[width], ...change(layouts[width]) } },
});

/**
 * Returns `workspaces`, which says for each workspace id if its pane is shown, with one entry changed. If there are more
 * than `WORKSPACES_MAX`, forgets those that were changed longest ago.
 */
export function withWorkspace(
  { workspaces }: LayoutState,
  id: string,
  isShown: boolean,
): Pick<LayoutState, 'workspaces'> {
  const { [id]: _, ...others } = workspaces;
  return {
    workspaces: Object.fromEntries([...Object.entries(others).slice(1 - WORKSPACES_MAX), [id, isShown]]),
  };
}

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLayoutStore, DEFAULT_LAYOUTS, LAYOUT_KEY, withLayout, withWorkspace } from './layout-store.ts';

const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});

beforeEach(() => stored.clear());

const store = (state: unknown) => {
  stored.set(LAYOUT_KEY, typeof state === 'string' ? state : JSON.stringify({ state, version: 1 }));
  return createLayoutStore().getState();
};

describe('a layout', () => {
  test('is there again after a reload, for its own width only', () => {
    const first = createLayoutStore();
    first.setState((state) => withLayout(state, 'wide', () => ({ workspaceSize: 60 })));
    first.setState((state) => withWorkspace(state, 'w1', true));
    const again = createLayoutStore().getState();
    expect(again.layouts).toEqual({
      ...DEFAULT_LAYOUTS,
      wide: { ...DEFAULT_LAYOUTS.wide, workspaceSize: 60 },
    });
    expect(again.workspaces).toEqual({ w1: true });
  });

  test.each([
    ['nothing', {}],
    ['no JSON', '{'],
    ['another shape', { layouts: 1, workspaces: [] }],
    ['impossible sizes', { layouts: { wide: { ...DEFAULT_LAYOUTS.wide, workspaceSize: 400 } } }],
  ])('of %s falls back to the defaults', (_, state) => {
    expect(store(state)).toMatchObject({ layouts: DEFAULT_LAYOUTS, workspaces: {} });
  });

  test('that is damaged for one width stays as it is for the others', () => {
    const medium = { ...DEFAULT_LAYOUTS.medium, workspaceSize: 61 };
    expect(store({ layouts: { ...DEFAULT_LAYOUTS, medium, wide: null } }).layouts).toEqual({
      ...DEFAULT_LAYOUTS,
      medium,
    });
  });
});

test('only the workspaces decided last are remembered', () => {
  const state = createLayoutStore();
  for (let n = 0; n < 300; n++) state.setState((before) => withWorkspace(before, `w${n}`, true));
  state.setState((before) => withWorkspace(before, 'w150', false));
  const { workspaces } = state.getState();
  expect(Object.keys(workspaces)).toHaveLength(200);
  expect(workspaces.w150).toBe(false);
  expect(workspaces.w99).toBeUndefined();
});

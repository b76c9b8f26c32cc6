import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { LanguageServices } from './editing/language-services.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { Workspaces } from './workspaces.ts';

const closed: string[] = [];

vi.mock('#lib/workspace/workspace.ts', () => ({
  openWorkspace: async (name: string) => ({ fileSystem: {}, history: {}, runner: {}, close: () => closed.push(name) }),
  deleteWorkspace: async () => undefined,
}));

beforeEach(() => {
  vi.useFakeTimers();
  closed.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

test('a workspace that was just asked for stays open, however many others are', async () => {
  const workspaces = await Workspaces.open(new MemoryThreadStore(), {
    isVolatile: false,
    previews: { capabilityOf: () => ({}) as never, close: async () => undefined },
    edits: Object.assign(new UnsavedEdits(), { recover: async () => undefined }),
    languageServices: new LanguageServices(),
  });
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await workspaces.open(id);
  // Whoever asked for one may not have used it yet.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(closed).toEqual([]);
  await workspaces.open('a');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(closed).toEqual(['roundtrip-workspace:b', 'roundtrip-workspace:c']);
  // Going through all of them does not keep all of them open.
  closed.length = 0;
  for (let index = 0; index < 100; index++) await workspaces.open(`${index}`);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(closed.length).toBeGreaterThan(90);
});

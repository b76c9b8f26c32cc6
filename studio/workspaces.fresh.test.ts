import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { temporaryId } from '#lib/threads/temporary.ts';
import { LanguageServices } from './editing/language-services.ts';
import { UnsavedEdits } from './editing/unsaved-edits.ts';
import { Workspaces } from './workspaces.ts';

const closed: string[] = [];
const deleted: string[] = [];
const volatile: string[] = [];

vi.mock('#lib/workspace/workspace.ts', () => ({
  openWorkspace: async (name: string, { isVolatile = false } = {}) => {
    if (isVolatile) volatile.push(name);
    return { fileSystem: {}, history: {}, runner: {}, close: () => closed.push(name) };
  },
  deleteWorkspace: async (name: string) => void deleted.push(name),
}));

beforeEach(() => {
  vi.useFakeTimers();
  for (const list of [closed, deleted, volatile]) list.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

const open = (store = new MemoryThreadStore()) =>
  Workspaces.open(store, {
    isVolatile: false,
    previews: { capabilityOf: () => ({}) as never, close: async () => undefined },
    edits: Object.assign(new UnsavedEdits(), { recover: async () => undefined }),
    languageServices: new LanguageServices(),
  });

test('a workspace that was just asked for stays open, however many others are', async () => {
  const workspaces = await open();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await workspaces.open(id);
  // The caller that asked for it may not have used it yet.
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

test('a temporary workspace is in memory, in no catalog, and stays open until it is removed', async () => {
  const store = new MemoryThreadStore();
  const workspaces = await open(store);
  const id = temporaryId();
  await workspaces.open(id);
  await workspaces.rename(id, 'Secret');
  expect(volatile).toEqual([`roundtrip-workspace:${id}`]);
  expect([workspaces.isVolatile(id), workspaces.isVolatile('a')]).toEqual([true, false]);
  expect(JSON.stringify([...(await store.settingsUnder(''))])).not.toMatch(/temporary|Secret/);
  for (let index = 0; index < 30; index++) await workspaces.open(`${index}`);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(closed.length).toBeGreaterThan(20);
  expect(closed).not.toContain(volatile[0]);
  await workspaces.remove(id);
  expect(closed).toContain(volatile[0]);
  expect(deleted).toEqual([]);
});

test('a workspace that was named before its thread began keeps its name', async () => {
  const workspaces = await open();
  const { draftId } = workspaces.state.getState();
  await workspaces.rename(draftId, 'Plans');
  await workspaces.takeDraft();
  expect(workspaces.state.getState().list).toEqual([expect.objectContaining({ id: draftId, name: 'Plans' })]);
  expect(workspaces.state.getState().draftId).not.toBe(draftId);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { temporaryId } from '#lib/threads/temporary.ts';
import { EGRESS_LIMITS } from '#lib/tools/web/limits.ts';
import { EgressLedger } from './egress-ledger.ts';

let store: MemoryThreadStore;
let ledger: EgressLedger;
let page: EventTarget;
/** The local storage. */
let local: Map<string, string>;

beforeEach(async () => {
  page = new EventTarget();
  local = new Map();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => local.set(key, value),
    removeItem: (key: string) => local.delete(key),
  });
  store = new MemoryThreadStore();
  ledger = await EgressLedger.open(store);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The time limit for storing all entries. */
const SOON = { timeout: 5 * EGRESS_LIMITS.storeMs };

const CALL = { toolCallId: 'c', toolName: 'fetch_url' };
const REQUEST = { host: 'example.org', sent: 200, received: 3_000, status: 200 };

const stored = async (): Promise<unknown[]> => ((await store.setting('egress-ledger')) ?? []) as unknown[];
const all = () => ledger.state.getState();

test('has each request with its call, its thread and why it could be sent', async () => {
  const record = ledger.of('t');
  record.allowed(CALL, 'asked');
  record.sent('c', REQUEST);
  record.allowed({ ...CALL, toolCallId: 'c/2' }, 'thread');
  // By a call that another one has made, and by that one itself.
  ledger.sent('c/2', { ...REQUEST, host: 'inner.example' });
  ledger.sent('c/3', REQUEST);
  expect(all().map(({ host, decision, threadId }) => [host, decision, threadId])).toEqual(
    expect.arrayContaining([
      ['example.org', 'asked', 't'],
      ['inner.example', 'thread', 't'],
    ]),
  );
  await vi.waitFor(async () => expect(await stored()).toHaveLength(3), SOON);
  expect(all()).toHaveLength(3);
  expect(await stored()).toContainEqual({
    id: expect.any(String),
    at: expect.any(Number),
    threadId: 't',
    ...CALL,
    ...REQUEST,
    decision: 'asked',
  });
});

test('has what was denied, for each host', () => {
  ledger.of('t').denied(CALL, ['a.example', 'b.example'], 'The user said no.');
  const denied = { sent: 0, received: 0, decision: 'denied', refused: 'The user said no.' };
  expect(all()).toHaveLength(2);
  for (const host of ['a.example', 'b.example'])
    expect(all()).toContainEqual(expect.objectContaining({ ...denied, host }));
});

test('a later page, and another tab, show what was sent', async () => {
  const other = await EgressLedger.open(store);
  ledger.of('t').sent('c', REQUEST);
  await vi.waitFor(() => expect(other.state.getState()).toMatchObject([REQUEST]));
  expect((await EgressLedger.open(store)).state.getState()).toMatchObject([REQUEST]);
});

test('requests of temporary threads are stored nowhere, and go with their thread', async () => {
  const id = temporaryId();
  const record = ledger.of(id);
  record.allowed(CALL, 'asked');
  record.sent('c', REQUEST);
  ledger.of('t').sent('other', REQUEST);
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), SOON);
  expect(all()).toHaveLength(2);
  expect(JSON.stringify(await stored())).not.toContain(id);
  await ledger.forget(id);
  expect(all()).toHaveLength(1);
});

test('a thread’s requests are deleted with it, and all of them when that is asked for', async () => {
  for (const [threadId, toolCallId] of [
    ['one', 'a'],
    ['two', 'b'],
  ] as const) {
    const record = ledger.of(threadId);
    record.allowed({ ...CALL, toolCallId }, 'always');
    record.sent(toolCallId, REQUEST);
  }
  await vi.waitFor(async () => expect(await stored()).toHaveLength(2), SOON);
  await ledger.forget('one');
  expect(await stored()).toMatchObject([{ threadId: 'two' }]);
  expect(all()).toMatchObject([{ threadId: 'two' }]);
  await ledger.clear();
  expect(await stored()).toEqual([]);
  expect(all()).toEqual([]);
});

test('keeps only the newest requests, however many tabs write them', async () => {
  const entry = { at: 1, threadId: 't', ...CALL, ...REQUEST, decision: 'asked' };
  await store.putSetting(
    'egress-ledger',
    Array.from({ length: EGRESS_LIMITS.entries }, (_, index) => ({ ...entry, id: `old-${index}` })),
  );
  const other = await EgressLedger.open(store);
  other.of('t').sent('c', REQUEST);
  ledger.of('t').sent('c', REQUEST);
  await vi.waitFor(async () => expect(JSON.stringify(await stored())).not.toContain('"old-1"'), SOON);
  expect(await stored()).toHaveLength(EGRESS_LIMITS.entries);
  await vi.waitFor(() => expect(all()).toHaveLength(EGRESS_LIMITS.entries));
});

test('what cannot be read is left out, and what is too long is cut', async () => {
  await store.putSetting('egress-ledger', [{ host: 7 }, 'x', null]);
  const opened = await EgressLedger.open(store);
  expect(opened.state.getState()).toEqual([]);
  opened.of('t').denied(CALL, ['h'.repeat(5_000)], 'r'.repeat(5_000));
  const [entry] = opened.state.getState();
  expect(entry?.host).toHaveLength(EGRESS_LIMITS.name);
  expect(entry?.refused).toHaveLength(EGRESS_LIMITS.reason);
  await vi.waitFor(async () => expect(await stored()).toHaveLength(1), SOON);
});

test('a storage that is full loses nothing that the page has seen', async () => {
  vi.spyOn(store, 'updateSetting').mockRejectedValue(new Error('full'));
  ledger.of('t').sent('c', REQUEST);
  await vi.waitFor(() => expect(all()).toMatchObject([REQUEST]));
});

/** Ends the page before it has stored two requests of a thread. */
function leaveUnstored(threadId: string): void {
  const failing = vi.spyOn(store, 'updateSetting').mockRejectedValue(new Error('The page has gone.'));
  const record = ledger.of(threadId);
  record.allowed(CALL, 'asked');
  for (const host of ['one.example', 'two.example']) record.sent('c', { ...REQUEST, host });
  // A page that is hidden may come back, and end later.
  for (let count = 0; count < 2; count++) page.dispatchEvent(new Event('pagehide'));
  failing.mockRestore();
}

test('what a page has not stored when it ends is stored by the next one, once', async () => {
  leaveUnstored('t');
  expect(await stored()).toEqual([]);
  const next = await EgressLedger.open(store);
  expect(next.state.getState()).toHaveLength(2);
  // Another tab may find it, too.
  const other = await EgressLedger.open(store);
  await vi.waitFor(async () => expect(await stored()).toHaveLength(2), SOON);
  await vi.waitFor(() => expect(local.size).toBe(0));
  for (const { state } of [next, other]) await vi.waitFor(() => expect(state.getState()).toHaveLength(2));
  expect((await EgressLedger.open(store)).state.getState()).toHaveLength(2);
});

test('what a page has left is deleted with its thread, and with all others', async () => {
  const other = await EgressLedger.open(store);
  for (const remove of [() => other.forget('t'), () => other.clear()]) {
    leaveUnstored('t');
    expect(local.size).toBe(1);
    await remove();
    expect(local.size).toBe(0);
  }
});

test('a page leaves nothing of temporary threads', () => {
  leaveUnstored(temporaryId());
  expect(local.size).toBe(0);
});

test('many requests in a row are stored together', async () => {
  const updates = vi.spyOn(store, 'updateSetting');
  const record = ledger.of('t');
  for (let count = 0; count < 500; count++) record.sent('c', REQUEST);
  expect(all()).toHaveLength(500);
  await vi.waitFor(async () => expect(await stored()).toHaveLength(500), SOON);
  expect(updates).toHaveBeenCalledTimes(2);
});

const LEFT = 'roundtrip-studio:egress-ledger';

const entry = (id: string, at: number) => ({
  id,
  at,
  threadId: 't',
  ...CALL,
  host: 'example.org',
  sent: 1,
  received: 1,
  decision: 'asked',
});

test('what an earlier page has left pushes out nothing that is newer', async () => {
  const newest = Array.from({ length: EGRESS_LIMITS.entries }, (_, n) => entry(`new${n}`, 1_000_000 + n));
  await store.updateSetting('egress-ledger', () => newest);
  local.set(LEFT, JSON.stringify([entry('old', 1)]));
  await EgressLedger.open(store);
  await vi.waitFor(() => expect(local.has(LEFT)).toBe(false), SOON);
  expect(await stored()).toEqual(newest);
});

test('a page that can keep nothing leaves to the next one what earlier pages have left', async () => {
  local.set(LEFT, JSON.stringify([entry('left', 1)]));
  const memory = new MemoryThreadStore();
  const volatile = await EgressLedger.open(memory, { isVolatile: true });
  volatile.of('t').sent('c', REQUEST);
  await vi.waitFor(async () => expect(await memory.setting('egress-ledger')).toHaveLength(1), SOON);
  page.dispatchEvent(new Event('pagehide'));
  expect(local.get(LEFT)).toContain('"left"');
});

test('what another tab has not stored yet is deleted, too', async () => {
  vi.spyOn(store, 'updateSetting').mockRejectedValueOnce(new Error('The disk is full.'));
  ledger.of('t').sent('c', REQUEST);
  await vi.waitFor(() => expect(store.updateSetting).toHaveBeenCalled(), SOON);
  await (await EgressLedger.open(store)).clear();
  await vi.waitFor(() => expect(all()).toEqual([]));
  page.dispatchEvent(new Event('pagehide'));
  expect(local.has(LEFT)).toBe(false);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { temporaryId } from '#lib/threads/temporary.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import type { Thread } from '#lib/threads/thread.ts';
import { endTemporaryThreads } from './temporary-threads.ts';

/** The locks that living pages hold. */
let held: Set<string>;
let stored: Record<string, string>;
let page: EventTarget;
let deleted: string[];

const transport = { deleteThread: async (id: string) => void deleted.push(id) };

beforeEach(() => {
  held = new Set();
  deleted = [];
  page = new EventTarget();
  stored = {};
  const request = async (name: string, ...rest: unknown[]) => {
    const act = rest.at(-1) as (lock: object | null) => Promise<unknown>;
    if (rest.length === 1) held.add(name);
    await act(rest.length === 2 && held.has(name) ? null : {});
  };
  vi.stubGlobal('navigator', { locks: { request } });
  const methods = {
    setItem: (key: string, value: string) => void Object.assign(stored, { [key]: value }),
    removeItem: (key: string) => void Reflect.deleteProperty(stored, key),
  };
  // Like the real one, it lists what it holds, and not its methods.
  vi.stubGlobal('localStorage', new Proxy(stored, { get: (_, key) => Reflect.get(methods, key) }));
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});

afterEach(() => vi.unstubAllGlobals());

/** A page that has these threads. */
function open(...ids: string[]): () => void {
  const state = createStore<{ threads: readonly Thread[] }>(() => ({ threads: [] }));
  const close = endTemporaryThreads(state, transport);
  state.setState({ threads: ids.map((id) => threadOf(id)) });
  return close;
}

test('a page that closes deletes its temporary threads on the server, and no others', async () => {
  const id = temporaryId();
  open(id, 'kept');
  expect(deleted).toEqual([]);
  page.dispatchEvent(new Event('pagehide'));
  expect(deleted).toEqual([id]);
});

test('a studio that was closed in its page deletes nothing when the page closes', async () => {
  open(temporaryId())();
  page.dispatchEvent(new Event('pagehide'));
  expect(deleted).toEqual([]);
});

test('what a page that crashed has left on the server is deleted by the next one, once', async () => {
  const id = temporaryId();
  open(id);
  held.clear();
  open();
  await vi.waitFor(() => expect(deleted).toEqual([id]));
  expect(stored).toEqual({});
  open();
  expect(deleted).toEqual([id]);
});

test('the threads of another page that is open stay', async () => {
  open(temporaryId());
  open();
  await new Promise((resolve) => setImmediate(resolve));
  expect(deleted).toEqual([]);
  expect(Object.keys(stored)).toHaveLength(1);
});

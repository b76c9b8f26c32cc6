import { AsyncLocalStorage } from 'node:async_hooks';

/** The header with a request's id, which proxies set, and which the server repeats in its response. */
export const REQUEST_ID_HEADER = 'x-request-id';

const KEY = Symbol.for('roundtrip-studio.request-id');
const holder = globalThis as typeof globalThis & { [KEY]?: AsyncLocalStorage<string> };

/** The id of the request that is being handled. Routes are bundled separately, so they share it through `globalThis`. */
function current(): AsyncLocalStorage<string> {
  holder[KEY] ??= new AsyncLocalStorage();
  return holder[KEY];
}

/**
 * Returns the id of the HTTP request that led to this call, directly or, for instance, by starting a run; undefined if none
 * did.
 */
export const requestId = (): string | undefined => current().getStore();

/**
 * Calls `work`, and returns its value. In all that `work` does or starts, `requestId` returns undefined: for work that outlives
 * the request that led to it.
 */
export const outsideRequests = <T>(work: () => T): T => current().exit(work);

/**
 * Calls `handle`, and returns its value. In all that `handle` does or starts, `requestId` returns the request's id: the one
 * that a proxy has `given`, if it is short and plain, and a new one otherwise.
 */
export function withRequestId<T>(given: string | null, handle: (id: string) => T): T {
  const id = given !== null && /^[\w.:-]{1,64}$/.test(given) ? given : crypto.randomUUID();
  return current().run(id, () => handle(id));
}

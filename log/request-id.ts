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

/** The id of the request that led to this call, such as that of a run; undefined outside of requests. */
export const requestId = (): string | undefined => current().getStore();

/** Does something that outlives the request that led to it, without that request's id. */
export const outsideRequests = <T>(work: () => T): T => current().exit(work);

/** Handles a request under an id: that of a proxy if it is short and plain, and a new one otherwise. */
export function withRequestId<T>(given: string | null, handle: (id: string) => T): T {
  const id = given !== null && /^[\w.:-]{1,64}$/.test(given) ? given : crypto.randomUUID();
  return current().run(id, () => handle(id));
}

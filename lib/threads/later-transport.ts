import { lazy } from '#lib/base/lazy.ts';
import { deleteThread } from './server-fetch.ts';
import { ConnectionError, type Transport } from './transport.ts';

/**
 * A transport (a connection to the server) whose code `load` loads when it is first used; only `deleteThread` needs no loading.
 * If it cannot be loaded, its other methods reject with `ConnectionError`, and the next call tries again.
 */
export function laterTransport(load: () => Promise<Transport>): Transport {
  const loaded = lazy(() =>
    load().catch((error: unknown): never => {
      throw new ConnectionError(String(error));
    }),
  );
  return {
    post: async (...given) => (await loaded()).post(...given),
    attach: async (...given) => (await loaded()).attach(...given),
    cancel: async (...given) => (await loaded()).cancel(...given),
    acknowledge: async (...given) => (await loaded()).acknowledge(...given),
    threadState: async (...given) => (await loaded()).threadState(...given),
    // A page that is being left has no time to load anything.
    deleteThread,
  };
}

import type { Worker } from 'node:worker_threads';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import type { EndableThread } from '#lib/base/endable-worker.ts';
import { messageOf } from '#lib/base/message-of.ts';

/** Gives a worker thread of Node the interface of a page's worker. The thread does not keep the process running. */
export function threadOf(worker: Worker): EndableThread {
  worker.unref();
  const endpoint = nodeEndpoint(worker);
  return {
    ...endpoint,
    postMessage: (message, transfer) => endpoint.postMessage(message, transfer),
    addEventListener(type, listener, options) {
      if (type !== 'error') endpoint.addEventListener(type, listener, options);
      else
        worker.on('error', (error) => {
          const event = Object.assign(new Event('error'), {
            message: messageOf(error),
          });
          if (typeof listener === 'function') listener(event);
          else listener.handleEvent(event);
        });
    },
    terminate: () => worker.terminate(),
  };
}

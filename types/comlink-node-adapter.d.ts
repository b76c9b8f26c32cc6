// Comlink has no declarations for this file where its package does not name its exports.
declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { MessagePort, Worker } from 'node:worker_threads';
  import type { Endpoint } from 'comlink';

  /** Node's workers and ports as Comlink expects them. */
  export default function nodeEndpoint(port: Worker | MessagePort): Endpoint;
}

// Parses scripts on a thread that can be ended: some make the parser run until there is no memory left.
import { parentPort } from 'node:worker_threads';
import { parse } from 'just-bash';
import type { ParseRequest } from './parse-script.ts';

parentPort?.on('message', ({ script, port, done }: ParseRequest) => {
  try {
    port.postMessage({ ast: parse(script) });
  } catch {
    // The shell itself reports what is wrong with the script.
    port.postMessage({});
  }
  port.close();
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});

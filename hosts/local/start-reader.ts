import { Worker } from 'node:worker_threads';
import { READER_MEMORY_MB } from './limits.ts';
import { threadOf } from './node-thread.ts';

/** Starts a thread that reads documents, with a limit of its own for memory. */
export const startReader = () =>
  threadOf(
    new Worker(new URL('./documents-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: READER_MEMORY_MB },
    }),
  );

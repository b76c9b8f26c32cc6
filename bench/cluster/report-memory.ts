// Loaded into a process that is measured: on SIGUSR2, collects garbage, and writes the memory that is in use, in bytes, to the
// file that `MEMORY_FILE` names.
import { writeFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(process.env.MEMORY_FILE ?? '', String(heapUsed + external));
});

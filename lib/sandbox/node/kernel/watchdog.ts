import { Worker } from 'node:worker_threads';

/** The interval between two checks whether the process still has its parent, in milliseconds. */
const LOOK_MS = 500;

const { pid, ppid } = process;

/**
 * Starts a thread that ends the process soon after the process's parent has ended: only a thread can do that while code never
 * ends. Otherwise, a parent that is killed would leave a busy process behind. Has no effect on Windows, where a process keeps
 * its parent, or if no thread can be started.
 */
export function endWithParent(): void {
  const look = `process.ppid === ${ppid} || process.kill(${pid}, 'SIGKILL')`;
  try {
    new Worker(`setInterval(() => ${look}, ${LOOK_MS})`, { eval: true });
  } catch {
    // A confinement may allow no threads.
  }
}

import { Worker } from 'node:worker_threads';

/** The interval between two checks whether the process still has its parent, in milliseconds. */
const LOOK_MS = 500;

const { pid, ppid } = process;

/**
 * Ends the process soon after its parent has ended, even while code never ends: only a thread can do that. Without it, a
 * parent that is killed would leave a busy process behind. Does nothing on Windows, where a process keeps its parent.
 */
export function endWithParent(): void {
  const look = `process.ppid === ${ppid} || process.kill(${pid}, 'SIGKILL')`;
  try {
    new Worker(`setInterval(() => ${look}, ${LOOK_MS})`, { eval: true });
  } catch {
    // A confinement may allow no threads.
  }
}

import type { ChildProcess } from 'node:child_process';
import { END_GRACE_MS } from './limits.ts';

/** Ends a process with everything in its group: asks first, then does not wait any longer. */
export function endProcess(child: ChildProcess, { atOnce = false } = {}): void {
  if (atOnce) {
    signal(child, 'SIGKILL');
    return;
  }
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), END_GRACE_MS);
  child.once('exit', () => {
    clearTimeout(timer);
    // What it has started may still be there.
    signal(child, 'SIGKILL');
  });
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    child.kill(name);
  }
}

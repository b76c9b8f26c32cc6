import type { ChildProcess } from 'node:child_process';
import { END_GRACE_MS } from './limits.ts';

/**
 * Ends a process with everything in its group: by SIGTERM, and by SIGKILL when the process has ended or `END_GRACE_MS` have
 * passed. `atOnce`: by SIGKILL only. Does not wait for the end.
 */
export function endProcess(child: ChildProcess, { atOnce = false } = {}): void {
  if (atOnce) {
    signal(child, 'SIGKILL');
    return;
  }
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), END_GRACE_MS);
  child.once('exit', () => {
    clearTimeout(timer);
    // Processes that it has started may still be there.
    signal(child, 'SIGKILL');
  });
}

/** The processes that end with this one, and that are still running. */
const running = new Set<ChildProcess>();

/**
 * Makes a process, with everything in its group, end by SIGKILL when this process exits. If this process is itself killed, they
 * stay.
 */
export function endWithUs(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const child of running) signal(child, 'SIGKILL');
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // It leads no group, as on Windows, or has ended.
    child.kill(name);
  }
}

import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** A process, as it is written down. */
export const ownerSchema = z.object({
  pid: z.int(),
  /** When the process began, as the system counts; empty if it does not say. Process ids are used again. */
  began: z.string(),
});

/** A process. */
export type Owner = z.infer<typeof ownerSchema>;

/** This process. */
export const self: Owner = { pid: process.pid, began: beginOf(process.pid) ?? '' };

/** Whether a process is still running. */
export function isRunning({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process cannot be signalled, but it is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = beginOf(pid);
  return began === '' || now === undefined || now === began;
}

/** When a process began, in clock ticks since the machine started (field 22 of Linux's `/proc/<pid>/stat`). */
function beginOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

import { readFileSync, readlinkSync } from 'node:fs';
import * as z from 'zod';

/** A process, as it is written down. */
export const ownerSchema = z.object({
  pid: z.int(),
  /** When the process began, as the system counts; empty if it does not say. Process ids are used again. */
  began: z.string(),
  /** In which space its id counts: containers have their own. Empty if the system does not say. */
  space: z.string().default(''),
});

/** A process. */
export type Owner = z.infer<typeof ownerSchema>;

/** This process. */
export const self: Owner = { pid: process.pid, began: beginOf(process.pid) ?? '', space: ownSpace() };

/** Whether a process is this one. */
export const isSelf = ({ pid, began, space }: Owner): boolean =>
  pid === self.pid && began === self.began && space === self.space;

/** Whether a process is still running, as far as can be known: of other containers, it cannot. */
export function isRunning({ pid, began, space }: Owner): boolean {
  if (space !== self.space && space !== '') return isSameMachine(space);
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

/** The boot of the machine, and the namespace of process ids. */
function ownSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** A space of another boot has ended with everything in it. */
const isSameMachine = (space: string): boolean => space.split(' ')[0] === self.space.split(' ')[0];

import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import * as z from 'zod';

/** The schema of the JSON with which a file, such as a lock, says which process it belongs to. */
export const ownerSchema = z.object({
  pid: z.int(),
  /** The time at which the process began, in the system's unit; empty if unknown. It is needed because ids are used again. */
  began: z.string(),
  /** The space in which the process id is valid: each boot and each container has its own. Empty if unknown. */
  space: z.string().default(''),
  /** A random id that a process gives itself each time it starts; empty if unknown. */
  id: z.string().default(''),
});

/** The process that a file belongs to, identified so that it is not mistaken for a later one with the same process id. */
export type Owner = z.infer<typeof ownerSchema>;

/** The `Owner` that stands for this process. */
export const self: Owner = {
  pid: process.pid,
  began: beginOf(process.pid) ?? '',
  space: ownSpace(),
  id: randomUUID(),
};

/** The time between two signs with which a process shows that it is running, in milliseconds. */
const SIGN_EVERY_MS = 2_000;

/** The time after which a process that no longer updates its file (see `giveSigns`) counts as ended, in milliseconds. */
export const SIGN_MAX_MS = 30_000;

/**
 * Updates the modification time of the file `place` every few seconds, to show that this process is running. Returns a
 * function that stops this.
 */
export function giveSigns(place: string): () => void {
  const timer = setInterval(() => {
    try {
      utimesSync(place, new Date(), new Date());
    } catch {
      // The file is gone, and nobody looks for signs any more.
    }
  }, SIGN_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Reads the owner from the file `place`; undefined if the file does not exist, cannot be read, or is not valid. Never throws. */
export function readOwner(place: string): Owner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Checks whether an owner is this process. */
export const isSelf = ({ id }: Owner): boolean => id === self.id;

/**
 * Checks whether a process is still running. One of an earlier boot of the machine is not. One in another container counts
 * as running if it has updated the file `sign` (see `giveSigns`) within `SIGN_MAX_MS`.
 */
export function isRunning({ pid, began, space }: Owner, sign: string): boolean {
  if (space !== self.space && space !== '') return isSameMachine(space) && hasNewSign(sign);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process cannot be signalled, but it is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = beginOf(pid);
  return began === '' || now === undefined || now === began;
}

function hasNewSign(place: string): boolean {
  const at = statSync(place, { throwIfNoEntry: false })?.mtimeMs;
  return at !== undefined && Date.now() - at < SIGN_MAX_MS;
}

/**
 * The time when a process began, in clock ticks since the machine started (field 22 of Linux's `/proc/<pid>/stat`); undefined
 * if the process has ended, or the system does not say.
 */
function beginOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // It has ended, or the system does not say.
    return undefined;
  }
}

/** This process's space: the ids of the machine's boot, and of the namespace of process ids; empty if unknown. */
function ownSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // The system does not say.
    return '';
  }
}

/** Checks whether a space is of the machine's current boot, in whatever container. Processes of any other boot have ended. */
const isSameMachine = (space: string): boolean => space.split(' ')[0] === self.space.split(' ')[0];

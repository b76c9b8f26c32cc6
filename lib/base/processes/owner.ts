import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import * as z from 'zod';

/** A process, as it is written down. */
export const ownerSchema = z.object({
  pid: z.int(),
  /** When the process began, as the system counts; empty if it does not say. Process ids are used again. */
  began: z.string(),
  /** In which space its id counts: containers have their own. Empty if the system does not say. */
  space: z.string().default(''),
  /** Names this run of a process. */
  id: z.string().default(''),
});

/** A process. */
export type Owner = z.infer<typeof ownerSchema>;

/** This process. */
export const self: Owner = {
  pid: process.pid,
  began: beginOf(process.pid) ?? '',
  space: ownSpace(),
  id: randomUUID(),
};

/** The time between two signs of a process, in milliseconds. */
const SIGN_EVERY_MS = 2_000;

/** The time without a sign after which a process counts as ended, in milliseconds. */
export const SIGN_MAX_MS = 30_000;

/** Shows again and again that this process is there, by the time of a file. Call the returned function at the end. */
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

/** A process that a file names; undefined if there is no such file, or it cannot be read. */
export function readOwner(place: string): Owner | undefined {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Checks whether a process is this one. */
export const isSelf = ({ id }: Owner): boolean => id === self.id;

/**
 * Checks whether a process is still running. For one in another container, only its signs tell: `sign` is the file that
 * it gives them with.
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

/** When a process began, in clock ticks since the machine started (field 22 of Linux's `/proc/<pid>/stat`). */
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

/** The boot of the machine, and the namespace of process ids. */
function ownSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // The system does not say.
    return '';
  }
}

/** A space of another boot has ended with everything in it. */
const isSameMachine = (space: string): boolean => space.split(' ')[0] === self.space.split(' ')[0];

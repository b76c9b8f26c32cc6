import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface SeenProcess {
  pid: number;
  command: string;
}

/**
 * The processes of a group, and those whose command names a folder, but for those that have ended and are still listed.
 */
export const processesOf = (group: number, folder?: string): SeenProcess[] =>
  execFileSync('ps', ['-eo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((one) => {
      const [, pid = '', pgid = '', state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(one) ?? [];
      const isOne = Number(pgid) === group || (folder !== undefined && command.includes(folder));
      return isOne && !state.startsWith('Z') ? [{ pid: Number(pid), command }] : [];
    });

/** Measures the share of a core that processes use in this many milliseconds. */
export async function coreShareOf(processes: readonly SeenProcess[], duringMs: number): Promise<number> {
  const before = secondsUsedBy(processes);
  const since = performance.now();
  await new Promise((resolve) => setTimeout(resolve, duringMs));
  return (secondsUsedBy(processes) - before) / ((performance.now() - since) / 1_000);
}

/** The time that processes have used of a core, in seconds. */
const secondsUsedBy = (processes: readonly SeenProcess[]): number =>
  processes.reduce((sum, { pid }) => sum + ticksOf(pid) / TICKS, 0);

/** Linux counts the time of processes in these, per second. */
const TICKS = 100;

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(user) + Number(system);
  } catch {
    return 0;
  }
}

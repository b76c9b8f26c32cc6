import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { delay } from '#lib/base/delay.ts';
import { type Cluster, startCluster } from '#scripts/lib/cluster.ts';
import type { startPacedModel } from './start.ts';

type Member = Cluster['members'][number];

const ANSWER_MAX_MS = 10_000;

/** Starts a cluster of two processes that say how much memory they use. */
export async function startMemoryCluster(model: Awaited<ReturnType<typeof startPacedModel>>) {
  const file = join(model.folder, 'memory');
  const reporting = `--expose-gc --import=${pathToFileURL(resolve('bench/cluster/report-memory.ts'))}`;
  const env = { ...model.env, NODE_OPTIONS: reporting, MEMORY_FILE: file };
  const cluster = await startCluster({ processes: 2, env });
  const [owner, other] = cluster.members as [Member, Member];
  return {
    cluster,
    owner,
    other,
    /** The memory in use in a process after garbage was collected, in bytes. */
    async usedBy(member: Member): Promise<number> {
      rmSync(file, { force: true });
      process.kill(member.pid(), 'SIGUSR2');
      const giveUpAt = Date.now() + ANSWER_MAX_MS;
      while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
        if (Date.now() > giveUpAt) throw new Error('The process does not say how much memory it uses.');
        await delay(20);
      }
      return Number(readFileSync(file, 'utf8'));
    },
  };
}

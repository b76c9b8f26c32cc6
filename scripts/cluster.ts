// Starts a studio of several processes on this machine, with PostgreSQL, Redis, and HAProxy from Debian's packages, to try
// it out. Nothing of it is stored. PORT: the port of the balancer; PROCESSES: how many processes.

import { messageOf } from '#lib/base/message-of.ts';
import { ensureBuild } from './lib/build.ts';
import { startCluster } from './lib/cluster.ts';
import { readConfigOrExit } from './lib/config.ts';

const env = readConfigOrExit();
await ensureBuild();
try {
  const cluster = await startCluster({ processes: Number(process.env.PROCESSES ?? 3), port: env.PORT });
  process.stdout.write(`Roundtrip Studio is at ${cluster.url}\n`);
  for (const member of cluster.members) process.stdout.write(`  a process of it is at ${member.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cluster.stop().then(() => process.exit(0)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}

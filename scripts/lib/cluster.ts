import { defined } from '#lib/base/defined.ts';
import { startBalancer } from './balancer.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import { freePort, type StudioServer, startServer } from './server.ts';

/** One process of a cluster. */
interface ClusterMember {
  readonly url: string;
  /** The id of the process, which changes when it is started again. Throws if there is none. */
  pid(): number;
  /** The end of its output so far. */
  log(): string;
  /** Ends the process, by default as a crash does. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on its port. `root`: the folder of another checkout of the studio to start instead. */
  start(root?: string): Promise<void>;
  /** Pauses or continues the process, as a machine that hangs does. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

export interface Cluster {
  /** The address of the balancer. */
  url: string;
  members: readonly ClusterMember[];
  postgres: NonNullable<Awaited<ReturnType<typeof startPostgres>>>;
  redis: NonNullable<Awaited<ReturnType<typeof startRedis>>>;
  stop(): Promise<void>;
}

/** Thrown if a program that a cluster needs is not installed. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError';
}

/**
 * Starts a studio of several processes on this machine: PostgreSQL, Redis, and HAProxy from Debian's packages, and processes of
 * the production build. Nothing that they store lasts longer than they do. `port`: the balancer's. `via`: makes another way
 * to a server, such as one that can be cut. Rejects with `MissingProgramError`.
 */
export async function startCluster({
  processes = 3,
  port,
  env = {},
  envOf = () => ({}),
  via = async (url) => url,
}: {
  processes?: number;
  port?: number;
  env?: Readonly<Record<string, string>>;
  /** More variables for one of the processes, by its index. */
  envOf?(index: number): Readonly<Record<string, string>>;
  via?(url: string): Promise<string>;
} = {}): Promise<Cluster> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  const installed = <T extends { stop(): Promise<void> }>(
    program: T | undefined,
    name: string,
    packageName: string,
  ): T => {
    if (program === undefined)
      throw new MissingProgramError(`${name} is not installed. To get it: apt install ${packageName}`);
    stops.push(() => program.stop());
    return program;
  };
  try {
    const postgres = installed(await startPostgres(), 'PostgreSQL', 'postgresql');
    const redis = installed(await startRedis(), 'Redis', 'redis-server');
    const ports: number[] = [];
    for (let index = 0; index < processes; index++) ports.push(await freePort());
    const shared = {
      DRAIN_SECONDS: '30',
      ...env,
      DATABASE_URL: await via(postgres.url),
      SHARED_URL: await via(redis.url),
    };
    const members = await Promise.all(ports.map((own, index) => startMember(own, { ...shared, ...envOf(index) })));
    stops.push(async () => {
      await Promise.all(members.map((member) => member.stop()));
    });
    const balancer = installed(await startBalancer(port ?? (await freePort()), ports), 'HAProxy', 'haproxy');
    return { url: balancer.url, members, postgres, redis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startMember(port: number, env: Readonly<Record<string, string>>): Promise<ClusterMember> {
  const begin = (root?: string): Promise<StudioServer> => startServer({ port, env, ...defined({ root }) });
  let server = await begin();
  return {
    url: server.url,
    pid() {
      if (server.process.pid === undefined) throw new Error('The process was not started.');
      return server.process.pid;
    },
    log: () => server.log(),
    stop: (signal = 'SIGKILL') => server.stop(signal),
    async start(root) {
      server = await begin(root);
    },
    signal: (signal) => void server.process.kill(signal),
  };
}

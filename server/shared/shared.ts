import type { ServerEnv } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { createLog, type Log } from '#log/log.ts';
import { redact } from '#log/redact.ts';
import type { Checkpointer } from '#server/graph/checkpointer/checkpointer.ts';
import { LatestPostgresSaver, poolOf } from '#server/graph/checkpointer/postgres-saver.ts';
import { Ownership } from './ownership.ts';
import { connect, keepAlive } from './redis.ts';
import { RedisTexts } from './redis-texts.ts';
import { SharedRefusals } from './refusals.ts';
import { RunStreams } from './run-streams.ts';
import { SharedCount } from './shared-count.ts';
import { StopSignals } from './stop-signals.ts';

/**
 * The access to what several processes of the studio share: a PostgreSQL, which keeps the checkpoints and decides which
 * process runs a thread, and a Redis, for data that may be lost.
 */
export interface Shared {
  checkpointer: Checkpointer;
  /** Decides which process runs a thread. */
  ownership: Ownership;
  /** The chunks of runs, for readers in other processes. */
  streams: RunStreams;
  /** Hints between processes that a run is to be stopped. */
  signals: StopSignals;
  /** Catalogues of tools, and long contents, that browsers have sent. */
  texts: RedisTexts;
  /** Models that refused native tools. */
  refusals: SharedRefusals;
  /** The requests that are open for pages (see `RequestRelay`). */
  relayed: SharedCount;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The number of connections for leases alone. */
const LEASE_CONNECTIONS = 2;

/** The interval at which what nobody needs anymore is removed, in milliseconds. */
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Connects to the PostgreSQL and the Redis that several processes of the studio share. Creates missing tables, and from then on
 * removes old records of runs regularly. `instance`: the name of this process. Rejects with `ConfigError` if `DATABASE_URL`
 * names no PostgreSQL or the Redis cannot be used, and with the database's error.
 */
export async function openShared(env: ServerEnv, instance: string, log: Log): Promise<Shared> {
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL))
    throw new ConfigError('SHARED_URL: several processes need a PostgreSQL. Set DATABASE_URL to postgres://….');
  const redis = await connect(env.SHARED_URL, log);
  const subscriber = redis.duplicate();
  const pool = poolOf(env.DATABASE_URL);
  const leases = poolOf(env.DATABASE_URL, LEASE_CONNECTIONS);
  let pruning: NodeJS.Timeout | undefined;
  const watches = [keepAlive(redis), keepAlive(subscriber)];
  const close = async () => {
    clearInterval(pruning);
    for (const end of watches) end();
    redis.destroy();
    if (subscriber.isOpen) subscriber.destroy();
    await Promise.all([pool.end(), leases.end()]);
  };
  try {
    subscriber.on('error', () => undefined);
    await subscriber.connect();
    const checkpointer = await LatestPostgresSaver.over(pool, (client) => Ownership.setUp(client));
    const ownership = new Ownership({ pool, leases, owner: instance });
    pruning = setInterval(() => void ownership.prune().catch(() => undefined), PRUNE_EVERY_MS).unref();
    return {
      checkpointer,
      ownership,
      streams: new RunStreams(redis, subscriber, env.RUN_RETENTION_MINUTES * 60_000),
      signals: await StopSignals.open(redis, subscriber),
      texts: new RedisTexts(redis, env.CONTENTS_MAX_BYTES),
      refusals: await SharedRefusals.open(redis, subscriber),
      relayed: new SharedCount(redis, 'relayed', env.MCP_RELAY_MAX_OPEN),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Checks, before a process starts, whether the PostgreSQL and the Redis that it is to share with others can be used: opens them
 * like `openShared`, and closes them again. Rejects with `ConfigError` that names the variable to change.
 */
export async function checkShared(env: ServerEnv): Promise<void> {
  try {
    const shared = await openShared(env, 'check', createLog('silent'));
    await shared.close();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATABASE_URL: can’t use this database. ${redact(String(error))}`);
  }
}

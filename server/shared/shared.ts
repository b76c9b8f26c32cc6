import type { ServerEnv } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import type { Log } from '#log/log.ts';
import type { Checkpointer } from '#server/graph/checkpointer/checkpointer.ts';
import { LatestPostgresSaver, poolOf } from '#server/graph/checkpointer/postgres-saver.ts';
import { Ownership } from './ownership.ts';
import { connect } from './redis.ts';
import { RedisTexts } from './redis-texts.ts';
import { RunStreams } from './run-streams.ts';
import { StopSignals } from './stop-signals.ts';

/** The means that several processes of the studio share: a PostgreSQL that decides, and a Redis for what may be lost. */
export interface Shared {
  checkpointer: Checkpointer;
  ownership: Ownership;
  streams: RunStreams;
  signals: StopSignals;
  texts: RedisTexts;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The interval at which what nobody needs anymore is removed, in milliseconds. */
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Connects to what the processes share. `instance`: the name of this process. Rejects with `ConfigError` for variables that
 * do not fit or a Redis that cannot be used, and with the database's error.
 */
export async function openShared(env: ServerEnv, instance: string, log: Log): Promise<Shared> {
  if (!/^postgres(ql)?:\/\//.test(env.DATABASE_URL))
    throw new ConfigError('SHARED_URL: several processes need a PostgreSQL. Set DATABASE_URL to postgres://….');
  const redis = await connect(env.SHARED_URL, log);
  const subscriber = await connect(env.SHARED_URL, log);
  const pool = poolOf(env.DATABASE_URL);
  const checkpointer = await LatestPostgresSaver.over(pool, (client) => Ownership.setUp(client));
  const ownership = new Ownership(pool, instance);
  const pruning = setInterval(() => void ownership.prune().catch(() => undefined), PRUNE_EVERY_MS).unref();
  return {
    checkpointer,
    ownership,
    streams: new RunStreams(redis, subscriber, env.RUN_RETENTION_MINUTES * 60_000),
    signals: await StopSignals.open(redis, subscriber),
    texts: new RedisTexts(redis),
    async close() {
      clearInterval(pruning);
      redis.destroy();
      subscriber.destroy();
      await checkpointer.close();
    },
  };
}

import type { RunnableConfig } from '@langchain/core/runnables';
import type { ChannelVersions, Checkpoint, CheckpointMetadata, PendingWrite } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import { type Checkpointer, FENCE_KEY } from './checkpointer.ts';
import { checkFence } from './fence.ts';
import { JsonSerializer } from './json-serializer.ts';
import { inTransaction } from './transaction.ts';

/** The advisory lock under which one process at a time creates tables. The number means nothing. */
const SET_UP_LOCK = 7_201_541_093;

/** LangGraph's PostgreSQL saver, limited to each thread's newest checkpoint. */
export class LatestPostgresSaver extends PostgresSaver implements Checkpointer {
  #pool: pg.Pool;

  /**
   * Resolves with a saver that uses this pool, once the tables that it needs exist. Tests provide a pool of their own.
   * `setUp`: creates further tables, while no other process does.
   */
  static async over(
    pool: pg.Pool,
    setUp: (client: pg.ClientBase) => Promise<void> = async () => undefined,
  ): Promise<LatestPostgresSaver> {
    // The pool replaces idle connections that break. Without a listener, the error would end the process.
    pool.on('error', () => undefined);
    const saver = new LatestPostgresSaver(pool);
    const client = await pool.connect();
    try {
      // Others may take a while.
      await client.query('SET lock_timeout = 0');
      await client.query('SELECT pg_advisory_lock($1)', [SET_UP_LOCK]);
      await saver.setup();
      await setUp(client);
    } finally {
      // Ends the lock as well.
      client.release(true);
    }
    return saver;
  }

  private constructor(pool: pg.Pool) {
    super(pool, new JsonSerializer());
    this.#pool = pool;
  }

  /**
   * Stores a checkpoint and removes the older ones, in one transaction. Rejects with `FencedError`, and stores nothing, if
   * the configuration has a fence (`FENCE_KEY`) that is no longer the thread's.
   */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    return this.#fenced(config, async (own, saver, client) => {
      const saved = await saver.put(own, checkpoint, metadata, newVersions);
      const { thread_id: threadId, checkpoint_ns: namespace } = saved.configurable as {
        thread_id: string;
        checkpoint_ns: string;
      };
      await client.query(PRUNE_THREAD, [threadId, namespace, checkpoint.id]);
      return saved;
    });
  }

  /** Stores what nodes have written since a checkpoint. Rejects like `put`. */
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    await this.#fenced(config, (own, saver) => saver.putWrites(own, writes, taskId));
  }

  /**
   * Stores something in one transaction, in which the fence of a configuration is checked. `store` gets the configuration without
   * the fence, and a saver whose statements are a part of the transaction.
   */
  #fenced<T>(
    config: RunnableConfig,
    store: (own: RunnableConfig, saver: PostgresSaver, client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const { [FENCE_KEY]: fence, ...configurable } = config.configurable ?? {};
    return inTransaction(this.#pool, async (client) => {
      if (typeof fence === 'string') await checkFence(client, String(configurable.thread_id), fence);
      const saver = new PostgresSaver(withinTransaction(client), new JsonSerializer());
      return store({ ...config, configurable }, saver, client);
    });
  }

  async pruneIdle(before: number): Promise<number> {
    const { rows } = await this.#pool.query<{ thread_id: string }>(
      `SELECT thread_id FROM checkpoints GROUP BY thread_id HAVING max((checkpoint ->> 'ts')::timestamptz) < to_timestamp($1 / 1000.0)`,
      [before],
    );
    for (const { thread_id: threadId } of rows) await this.deleteThread(threadId);
    return rows.length;
  }

  async ping(): Promise<void> {
    await this.#pool.query('SELECT 1');
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** A pool with one connection, on which a transaction has begun. What is done with it becomes a part of that transaction. */
function withinTransaction(client: pg.PoolClient): pg.Pool {
  const isOfTransactions = (text: unknown) => text === 'BEGIN' || text === 'COMMIT' || text === 'ROLLBACK';
  const part = {
    query: async (text: string, values?: unknown[]) =>
      isOfTransactions(text) ? undefined : await client.query(text, values),
    release: () => undefined,
  };
  return { connect: async () => part } as unknown as pg.Pool;
}

/** Deletes everything of a thread that its newest checkpoint does not need. */
const PRUNE_THREAD = `
  WITH newest AS (
    SELECT checkpoint FROM checkpoints WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id = $3
  ), old_checkpoints AS (
    DELETE FROM checkpoints WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id <> $3
  ), old_writes AS (
    DELETE FROM checkpoint_writes WHERE thread_id = $1 AND checkpoint_ns = $2 AND checkpoint_id <> $3
  )
  DELETE FROM checkpoint_blobs AS blob
  WHERE blob.thread_id = $1 AND blob.checkpoint_ns = $2
    AND blob.version IS DISTINCT FROM (SELECT checkpoint -> 'channel_versions' ->> blob.channel FROM newest)
`;

/** The longest time for a connection to the database, in milliseconds. */
const CONNECT_MS = 10_000;

/** The longest time for an answer of the database, in milliseconds: a connection can be dead without being closed. */
const QUERY_MS = 20_000;

/** The longest time to wait for a lock, in milliseconds. */
const LOCK_MS = 3_000;

/**
 * The longest time for which the database keeps a transaction in which nothing happens, in milliseconds: its process may hang, and
 * its locks must not outlive its leases.
 */
const IDLE_MS = 5_000;

/** A pool of connections to the database that the URL names. `max`: the largest number of connections. */
export function poolOf(url: string, max = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    statement_timeout: QUERY_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    keepAlive: true,
  });
  // The pool replaces idle connections that break. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Connects to the PostgreSQL database that the URL names, and creates its tables if they do not exist. Rejects with the
 * database's error.
 */
export const open = (url: string): Promise<Checkpointer> => LatestPostgresSaver.over(poolOf(url));

import type { RunnableConfig } from '@langchain/core/runnables';
import type { ChannelVersions, Checkpoint, CheckpointMetadata } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import pg from 'pg';
import type { Checkpointer } from './checkpointer.ts';
import { JsonSerializer } from './json-serializer.ts';

/** LangGraph's PostgreSQL saver, limited to each thread's newest checkpoint. */
export class LatestPostgresSaver extends PostgresSaver implements Checkpointer {
  #pool: pg.Pool;

  /** Resolves with a saver that uses this pool, once the tables that it needs exist. Tests provide a pool of their own. */
  static async over(pool: pg.Pool): Promise<LatestPostgresSaver> {
    // The pool replaces idle connections that break. Without a listener, the error would end the process.
    pool.on('error', () => undefined);
    const saver = new LatestPostgresSaver(pool);
    await saver.setup();
    return saver;
  }

  private constructor(pool: pg.Pool) {
    super(pool, new JsonSerializer());
    this.#pool = pool;
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const saved = await super.put(config, checkpoint, metadata, newVersions);
    const { thread_id: threadId, checkpoint_ns: namespace } = saved.configurable as {
      thread_id: string;
      checkpoint_ns: string;
    };
    await this.#pool.query(PRUNE_THREAD, [threadId, namespace, checkpoint.id]);
    return saved;
  }

  async pruneIdle(before: number): Promise<number> {
    const { rows } = await this.#pool.query<{ thread_id: string }>(
      `SELECT thread_id FROM checkpoints GROUP BY thread_id HAVING max((checkpoint ->> 'ts')::timestamptz) < to_timestamp($1 / 1000.0)`,
      [before],
    );
    for (const { thread_id: threadId } of rows) await this.deleteThread(threadId);
    return rows.length;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * Deletes everything of a thread that its newest checkpoint does not need. It is a single statement, so that it is a single
 * transaction.
 */
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

/** Connects to the database that the URL names. Rejects with the database's error. */
export const open = (url: string): Promise<Checkpointer> =>
  LatestPostgresSaver.over(new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 }));

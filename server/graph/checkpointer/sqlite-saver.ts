import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import type { Checkpointer } from './checkpointer.ts';
import { JsonSerializer } from './json-serializer.ts';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS checkpoints (
    thread_id TEXT NOT NULL, namespace TEXT NOT NULL, id TEXT NOT NULL, parent_id TEXT,
    checkpoint BLOB NOT NULL, metadata BLOB NOT NULL, saved_at INTEGER NOT NULL,
    PRIMARY KEY (thread_id, namespace, id)
  );
  CREATE TABLE IF NOT EXISTS writes (
    thread_id TEXT NOT NULL, namespace TEXT NOT NULL, checkpoint_id TEXT NOT NULL, task_path TEXT NOT NULL,
    task_id TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (thread_id, namespace, checkpoint_id, task_id, idx)
  );
`;

interface CheckpointRow {
  thread_id: string;
  namespace: string;
  id: string;
  parent_id: string | null;
  checkpoint: Uint8Array;
  metadata: Uint8Array;
}

interface WriteRow {
  task_id: string;
  channel: string;
  value: Uint8Array;
}

/** A LangGraph saver on Node's built-in SQLite: one file, no native build. Keeps each thread's newest checkpoint. */
export class SqliteSaver extends BaseCheckpointSaver implements Checkpointer {
  #db: DatabaseSync;

  static open(file: string): SqliteSaver {
    return new SqliteSaver(new DatabaseSync(file));
  }

  private constructor(db: DatabaseSync) {
    super(new JsonSerializer());
    this.#db = db;
    db.exec(SCHEMA);
  }

  async getTuple({ configurable = {} }: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: threadId, checkpoint_ns: namespace = '', checkpoint_id: id } = configurable;
    const row =
      id === undefined
        ? this.#get(
            'SELECT * FROM checkpoints WHERE thread_id = ? AND namespace = ? ORDER BY id DESC LIMIT 1',
            threadId,
            namespace,
          )
        : this.#get(
            'SELECT * FROM checkpoints WHERE thread_id = ? AND namespace = ? AND id = ?',
            threadId,
            namespace,
            id,
          );
    return row === undefined ? undefined : this.#tuple(row);
  }

  async *list(
    { configurable = {} }: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    const add = (condition: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    add('thread_id = ?', configurable.thread_id);
    add('namespace = ?', configurable.checkpoint_ns);
    add('id = ?', configurable.checkpoint_id);
    add('id < ?', options.before?.configurable?.checkpoint_id);
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const rows = this.#db.prepare(`SELECT * FROM checkpoints ${where} ORDER BY id DESC`).all(...values);
    let count = 0;
    for (const row of rows) {
      if (options.limit !== undefined && count >= options.limit) return;
      const tuple = await this.#tuple(row as unknown as CheckpointRow);
      const metadata = new Map(Object.entries(tuple.metadata ?? {}));
      if (!Object.entries(options.filter ?? {}).every(([key, value]) => metadata.get(key) === value)) continue;
      count++;
      yield tuple;
    }
  }

  async put(
    { configurable = {} }: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread_id: threadId, checkpoint_ns: namespace = '', checkpoint_id: parentId = null } = configurable;
    const [[, checkpointBytes], [, metadataBytes]] = await Promise.all([
      this.serde.dumpsTyped(copyCheckpoint(checkpoint)),
      this.serde.dumpsTyped(metadata),
    ]);
    this.#transaction(() => {
      this.#db
        .prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(threadId, namespace, checkpoint.id, parentId, checkpointBytes, metadataBytes, Date.now());
      this.#db
        .prepare('DELETE FROM checkpoints WHERE thread_id = ? AND namespace = ? AND id <> ?')
        .run(threadId, namespace, checkpoint.id);
      this.#db
        .prepare('DELETE FROM writes WHERE thread_id = ? AND namespace = ? AND checkpoint_id <> ?')
        .run(threadId, namespace, checkpoint.id);
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  async putWrites(
    { configurable = {} }: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { thread_id: threadId, checkpoint_ns: namespace = '', checkpoint_id: id } = configurable;
    const special = new Map(Object.entries(WRITES_IDX_MAP));
    const rows = await Promise.all(
      writes.map(async ([channel, value], index) => {
        const [, bytes] = await this.serde.dumpsTyped(value);
        return { idx: special.get(channel) ?? index, channel, bytes };
      }),
    );
    // Special channels (errors, interrupts, resumes) are replaced; ordinary writes of a task are never overwritten.
    const verb = writes.every(([channel]) => special.has(channel)) ? 'REPLACE' : 'IGNORE';
    this.#transaction(() => {
      const statement = this.#db.prepare(`INSERT OR ${verb} INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
      for (const { idx, channel, bytes } of rows)
        statement.run(threadId, namespace, id, taskPath, taskId, idx, channel, bytes);
    });
  }

  async deleteThread(threadId: string): Promise<void> {
    this.#transaction(() => {
      this.#db.prepare('DELETE FROM checkpoints WHERE thread_id = ?').run(threadId);
      this.#db.prepare('DELETE FROM writes WHERE thread_id = ?').run(threadId);
    });
  }

  async pruneIdle(before: number): Promise<number> {
    const idle = this.#db
      .prepare('SELECT thread_id FROM checkpoints GROUP BY thread_id HAVING max(saved_at) < ?')
      .all(before);
    for (const { thread_id: threadId } of idle) await this.deleteThread(String(threadId));
    return idle.length;
  }

  async ping(): Promise<void> {
    this.#get('SELECT 1');
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #get(sql: string, ...values: SQLInputValue[]): CheckpointRow | undefined {
    return this.#db.prepare(sql).get(...values) as CheckpointRow | undefined;
  }

  async #tuple(row: CheckpointRow): Promise<CheckpointTuple> {
    const configFor = (id: string): RunnableConfig => ({
      configurable: { thread_id: row.thread_id, checkpoint_ns: row.namespace, checkpoint_id: id },
    });
    const writes = this.#db
      .prepare(
        'SELECT task_id, channel, value FROM writes WHERE thread_id = ? AND namespace = ? AND checkpoint_id = ? ORDER BY task_path, task_id, idx',
      )
      .all(row.thread_id, row.namespace, row.id) as unknown as WriteRow[];
    return {
      config: configFor(row.id),
      checkpoint: await this.serde.loadsTyped('json', row.checkpoint),
      metadata: await this.serde.loadsTyped('json', row.metadata),
      ...(row.parent_id === null ? {} : { parentConfig: configFor(row.parent_id) }),
      pendingWrites: await Promise.all(
        writes.map(
          async ({ task_id: taskId, channel, value }): Promise<[string, string, unknown]> => [
            taskId,
            channel,
            await this.serde.loadsTyped('json', value),
          ],
        ),
      ),
    };
  }

  #transaction(change: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

/**
 * Opens the SQLite file that a URL such as `sqlite:.data/checkpoints.db` names. Creates it, and its folder, if it does not
 * exist.
 */
export async function open(url: string): Promise<Checkpointer> {
  const file = resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=[^/])/, ''));
  mkdirSync(dirname(file), { recursive: true });
  return SqliteSaver.open(file);
}

import type pg from 'pg';

/**
 * Runs `work` in one transaction, and resolves with its value. If anything fails, rejects with the error and closes the
 * connection, which ends the transaction whatever state it is in: a statement may still wait in it, and `ROLLBACK` would
 * wait behind that.
 */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isDone = true;
    return result;
  } finally {
    client.release(!isDone);
  }
}

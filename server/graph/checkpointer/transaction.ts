import type pg from 'pg';

/**
 * Does something in one transaction. After an error, the connection is closed, which ends the transaction whatever state it is in: a
 * statement may still wait in it, and `ROLLBACK` would wait behind that.
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

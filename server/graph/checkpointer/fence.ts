import type pg from 'pg';

/** Thrown in a run whose thread another run has taken over, such as when it tries to store a checkpoint. */
export class FencedError extends Error {
  override readonly name = 'FencedError';

  constructor() {
    super('This thread belongs to another run now.');
  }
}

/**
 * Rejects with `FencedError` unless the run with this fence is its thread's latest one. Locks the thread's row in the table
 * of runs (see `Ownership`) until the end of the client's transaction, so that no other run takes the thread over meanwhile.
 * The run's process can still prolong the time for which it holds the thread (its lease).
 */
export async function checkFence(client: Pick<pg.ClientBase, 'query'>, threadId: string, fence: string): Promise<void> {
  const { rows } = await client.query<{ is_latest: boolean }>(
    'SELECT fence = $2 AS is_latest FROM studio_runs WHERE thread_id = $1 FOR KEY SHARE',
    [threadId, fence],
  );
  if (rows[0]?.is_latest !== true) throw new FencedError();
}

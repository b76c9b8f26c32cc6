import type pg from 'pg';

/** Thrown if a run whose thread belongs to another one now tries to store a checkpoint. */
export class FencedError extends Error {
  override readonly name = 'FencedError';

  constructor() {
    super('This thread belongs to another run now.');
  }
}

/**
 * Locks a thread's row in the table of runs, which `Ownership` creates, until the end of a transaction, so that no other run takes
 * the thread over meanwhile; its lease can be renewed. Rejects with `FencedError` if the run with this fence is no longer the
 * thread's latest one.
 */
export async function checkFence(client: Pick<pg.ClientBase, 'query'>, threadId: string, fence: string): Promise<void> {
  const { rows } = await client.query<{ is_latest: boolean }>(
    'SELECT fence = $2 AS is_latest FROM studio_runs WHERE thread_id = $1 FOR KEY SHARE',
    [threadId, fence],
  );
  if (rows[0]?.is_latest !== true) throw new FencedError();
}

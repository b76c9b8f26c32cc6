import type pg from 'pg';
import { inTransaction } from '#server/graph/checkpointer/transaction.ts';
import type { RunKind } from '#server/runs/run.ts';

/** The time for which a process owns a run without renewing its lease, in milliseconds, by the database's clock. */
export const LEASE_MS = 10_000;

/** The longest time that a renewal may take, in milliseconds. */
const RENEW_TIMEOUT_MS = 2_500;

/** The time for which the end of a run, or the mark of a run that was stopped before it was posted, is known, in hours. */
const KEPT_HOURS = 24;

/** The number of a thread's earlier runs whose late requests are recognized. */
const PAST_RUNS = 20;

/**
 * A run that a process wants to start in a thread. `kind` and `baseRevision`, the revision that it builds on, show whether it
 * is a repeated resume.
 */
export interface RunClaim {
  threadId: string;
  runId: string;
  kind: RunKind;
  baseRevision: string | null;
}

/**
 * One attempt of a run. `fence`: a number that grows with each attempt in the thread, so that what an older one still writes
 * can be refused; as text, because it is a 64-bit number.
 */
export interface RunRef {
  threadId: string;
  fence: string;
}

/**
 * The state of a run: `active` as long as its owner renews the lease, `ended` once the owner has said so, and `orphaned` if
 * the lease is over without that.
 */
type RunState = 'active' | 'ended' | 'orphaned';

/** The answer to a claim; see `Ownership.acquire`. */
type Acquired =
  | { type: 'acquired'; run: RunRef }
  | { type: 'joined'; run: RunRef }
  | { type: 'busy' }
  | { type: 'stopped' }
  | { type: 'past' };

interface Row {
  fence: string;
  state: RunState;
  is_same: boolean;
  is_same_resume: boolean;
  is_past: boolean;
  is_stopped: boolean;
}

const SCHEMA = `
  CREATE SEQUENCE IF NOT EXISTS studio_fence;
  CREATE TABLE IF NOT EXISTS studio_runs (
    thread_id text PRIMARY KEY,
    fence bigint NOT NULL,
    run_id text,
    joined text[] NOT NULL DEFAULT '{}',
    past text[] NOT NULL DEFAULT '{}',
    kind text,
    base_revision text,
    owner text,
    lease_until timestamptz NOT NULL DEFAULT now(),
    stop boolean NOT NULL DEFAULT false,
    outcome text,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS studio_stopped_runs (
    thread_id text NOT NULL,
    run_id text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (thread_id, run_id)
  );
`;

/** The state of a row of `studio_runs`, as SQL. */
const STATE = `CASE WHEN outcome IS NOT NULL THEN 'ended' WHEN lease_until > now() THEN 'active' ELSE 'orphaned' END`;

/** Finds the latest run of a thread, and how it relates to a claim. */
const SELECT_RUN = `
  SELECT fence, ${STATE} AS state,
    coalesce(run_id = $2 OR $2 = ANY (joined), false) AS is_same,
    coalesce(kind = 'resume' AND $3 = 'resume' AND base_revision IS NOT DISTINCT FROM $4
      AND coalesce(outcome, 'done') = 'done', false) AS is_same_resume,
    $2 = ANY (past) AS is_past,
    EXISTS (SELECT 1 FROM studio_stopped_runs AS stopped WHERE stopped.thread_id = $1 AND stopped.run_id = $2) AS is_stopped
  FROM studio_runs AS run WHERE run.thread_id = $1
`;

/** Renews the leases of the held runs whose rows are not locked, and returns all that are still the owner's. */
const RENEW = `
  WITH held AS (
    SELECT * FROM unnest($1::text[], $2::bigint[]) AS held (thread_id, fence)
  ), free AS (
    SELECT run.thread_id FROM studio_runs AS run JOIN held ON run.thread_id = held.thread_id AND run.fence = held.fence
    WHERE run.owner = $3 AND run.outcome IS NULL FOR NO KEY UPDATE OF run SKIP LOCKED
  ), renewed AS (
    UPDATE studio_runs AS run SET lease_until = now() + $4 * interval '1 millisecond', updated_at = now()
    FROM free WHERE run.thread_id = free.thread_id RETURNING run.thread_id
  )
  SELECT run.thread_id, run.stop, renewed.thread_id IS NOT NULL AS is_renewed
  FROM studio_runs AS run JOIN held ON run.thread_id = held.thread_id AND run.fence = held.fence
    LEFT JOIN renewed ON renewed.thread_id = run.thread_id
  WHERE run.owner = $3 AND run.outcome IS NULL
`;

/** Checks whether a run answers the request that it was compared with. */
const answers = ({ state, is_same: isSame, is_same_resume: isSameResume }: Row): boolean =>
  state !== 'orphaned' && (isSame || isSameResume);

/** Notes that a run answers a request with another id, too: the browser that posted it may stop it by the id that it knows. */
async function noteJoined(
  client: Pick<pg.Pool, 'query'> | Pick<pg.ClientBase, 'query'>,
  { threadId, fence }: RunRef,
  runId: string,
): Promise<void> {
  await client.query('UPDATE studio_runs SET joined = array_append(joined, $3) WHERE thread_id = $1 AND fence = $2', [
    threadId,
    fence,
    runId,
  ]);
}

/** Locks a thread's row until the end of a transaction, so that a claim and a stop follow each other. */
async function lock(client: pg.PoolClient, threadId: string): Promise<void> {
  await client.query(
    `INSERT INTO studio_runs (thread_id, fence, outcome) VALUES ($1, 0, 'none') ON CONFLICT (thread_id) DO NOTHING`,
    [threadId],
  );
  await client.query('SELECT 1 FROM studio_runs WHERE thread_id = $1 FOR UPDATE', [threadId]);
}

/**
 * Decides which process runs a thread, in PostgreSQL. A process owns a run by a lease, which it renews, and which ends by the
 * database's clock. Every write of a checkpoint is checked against the run's fence (see `RunRef`). Rejects with the database's
 * errors.
 */
export class Ownership {
  readonly #pool: pg.Pool;
  readonly #leases: pg.Pool;
  readonly #owner: string;

  /**
   * `owner`: the name of this process. `leases`: a pool of its own for leases, which must not wait for others. The tables must
   * exist (see `setUp`).
   */
  constructor({ pool, leases, owner }: { pool: pg.Pool; leases: pg.Pool; owner: string }) {
    this.#pool = pool;
    this.#leases = leases;
    this.#owner = owner;
  }

  /** Creates the tables, if they do not exist. Only one process may do so at a time. */
  static async setUp(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    await client.query(SCHEMA);
  }

  /**
   * Claims a thread for a new run. `acquired`: this process owns the thread, with a new fence. `joined`: a run already answers
   * the request, because it has the same id or resumes from the same revision; it may be another process's. `busy`: another run is
   * active. `stopped`: the run was stopped before it was posted. `past`: the thread has gone on since the run, so the request is a
   * late one.
   */
  async acquire({ threadId, runId, kind, baseRevision }: RunClaim): Promise<Acquired> {
    return inTransaction<Acquired>(this.#pool, async (client) => {
      await lock(client, threadId);
      const { rows } = await client.query<Row>(SELECT_RUN, [threadId, runId, kind, baseRevision]);
      const before = rows[0];
      if (before === undefined) throw new Error('The row of a run is not there.');
      if (before.is_stopped) return { type: 'stopped' };
      if (before.is_past) return { type: 'past' };
      if (answers(before)) {
        const run = { threadId, fence: before.fence };
        if (!before.is_same) await noteJoined(client, run, runId);
        return { type: 'joined', run };
      }
      if (before.state === 'active') return { type: 'busy' };
      const { rows: after } = await client.query<{ fence: string }>(
        `UPDATE studio_runs SET fence = nextval('studio_fence'),
           past = CASE WHEN run_id IS NULL OR run_id = $2 THEN past ELSE past[cardinality(past) - ${PAST_RUNS - 2}:] || run_id || joined END,
           run_id = $2, joined = '{}', kind = $3, base_revision = $4, owner = $5,
           lease_until = now() + $6 * interval '1 millisecond', stop = false, outcome = NULL, updated_at = now()
         WHERE thread_id = $1 RETURNING fence`,
        [threadId, runId, kind, baseRevision, this.#owner, LEASE_MS],
      );
      return { type: 'acquired', run: { threadId, fence: after[0]?.fence ?? '' } };
    });
  }

  /**
   * Finds the run that already answers a request: one with the same id, or one that resumes from the same revision. Undefined if
   * there is none, or if it has lost its owner; `stopped` if the run was stopped before it was posted.
   */
  async join({
    threadId,
    runId,
    kind,
    baseRevision,
  }: RunClaim): Promise<{ run: RunRef; state: RunState } | 'stopped' | undefined> {
    const { rows } = await this.#pool.query<Row>(SELECT_RUN, [threadId, runId, kind, baseRevision]);
    const row = rows[0];
    if (row?.is_stopped === true) return 'stopped';
    if (row === undefined || !answers(row)) return undefined;
    const run = { threadId, fence: row.fence };
    if (!row.is_same) await noteJoined(this.#pool, run, runId);
    return { run, state: row.state };
  }

  /**
   * Renews the leases of runs that this process owns. Resolves with the runs whose leases are new, those that it no longer owns
   * (`lost`), and those that are to be stopped. A run whose row is locked for the moment is neither renewed nor lost.
   */
  async renew(held: readonly RunRef[]): Promise<{ renewed: RunRef[]; lost: RunRef[]; stopped: RunRef[] }> {
    const { rows } = await this.#leases.query<{ thread_id: string; stop: boolean; is_renewed: boolean }>({
      text: RENEW,
      values: [held.map(({ threadId }) => threadId), held.map(({ fence }) => fence), this.#owner, LEASE_MS],
      // A connection that says nothing must not keep the next attempt from being made.
      query_timeout: RENEW_TIMEOUT_MS,
    } as pg.QueryConfig);
    const own = new Map(rows.map((row) => [row.thread_id, row]));
    return {
      renewed: held.filter(({ threadId }) => own.get(threadId)?.is_renewed === true),
      lost: held.filter(({ threadId }) => !own.has(threadId)),
      stopped: held.filter(({ threadId }) => own.get(threadId)?.stop === true),
    };
  }

  /** Says how a run of this process has ended. Does nothing if the process no longer owns it. */
  async release({ threadId, fence }: RunRef, outcome: 'done' | 'failed'): Promise<void> {
    await this.#leases.query(
      `UPDATE studio_runs SET outcome = $4, updated_at = now()
       WHERE thread_id = $1 AND fence = $2 AND owner = $3 AND outcome IS NULL`,
      [threadId, fence, this.#owner, outcome],
    );
  }

  /**
   * Ends the leases of all runs that this process still owns, so that other processes can take their threads over at once.
   */
  async giveUp(): Promise<void> {
    await this.#leases.query('UPDATE studio_runs SET lease_until = now() WHERE owner = $1 AND outcome IS NULL', [
      this.#owner,
    ]);
  }

  /**
   * Asks the owner of a thread's run to stop it. With `runId`, only if the run has that id; if it was not posted yet, it never
   * starts. Resolves with the run if it is active.
   */
  async stop(threadId: string, runId?: string): Promise<RunRef | undefined> {
    return inTransaction(this.#pool, async (client) => {
      await lock(client, threadId);
      const { rows } = await client.query<{ fence: string; state: RunState }>(
        `UPDATE studio_runs SET stop = true WHERE thread_id = $1 AND ($2::text IS NULL OR run_id = $2 OR $2 = ANY (joined))
         RETURNING fence, ${STATE} AS state`,
        [threadId, runId ?? null],
      );
      const run = rows[0];
      // One that has lost its owner may be posted again.
      if (runId !== undefined && (run === undefined || run.state === 'orphaned'))
        await client.query(
          'INSERT INTO studio_stopped_runs (thread_id, run_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          [threadId, runId],
        );
      return run?.state === 'active' ? { threadId, fence: run.fence } : undefined;
    });
  }

  /** Raises a thread's fence, so that no run stores anything for it anymore until another one starts. */
  async forget(threadId: string): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      await lock(client, threadId);
      await client.query(
        `UPDATE studio_runs SET fence = nextval('studio_fence'), run_id = NULL, joined = '{}', owner = NULL, outcome = 'none',
           updated_at = now()
         WHERE thread_id = $1`,
        [threadId],
      );
    });
  }

  /** Finds a thread's latest run, if it has that id; undefined otherwise. */
  async find(threadId: string, runId: string): Promise<{ run: RunRef; state: RunState } | undefined> {
    const { rows } = await this.#pool.query<{ fence: string; state: RunState }>(
      `SELECT fence, ${STATE} AS state FROM studio_runs WHERE thread_id = $1 AND (run_id = $2 OR $2 = ANY (joined))`,
      [threadId, runId],
    );
    return rows[0] && { run: { threadId, fence: rows[0].fence }, state: rows[0].state };
  }

  /** The state of one attempt; `orphaned` if another has taken its place. */
  async stateOf({ threadId, fence }: RunRef): Promise<RunState> {
    const { rows } = await this.#pool.query<{ state: RunState }>(
      `SELECT ${STATE} AS state FROM studio_runs WHERE thread_id = $1 AND fence = $2`,
      [threadId, fence],
    );
    return rows[0]?.state ?? 'orphaned';
  }

  /** Removes the records of runs and of stops that are older than `KEPT_HOURS`. */
  async prune(): Promise<void> {
    const old = `now() - ${KEPT_HOURS} * interval '1 hour'`;
    await this.#pool.query(`DELETE FROM studio_runs WHERE updated_at < ${old} AND lease_until < ${old}`);
    await this.#pool.query(`DELETE FROM studio_stopped_runs WHERE at < ${old}`);
  }
}

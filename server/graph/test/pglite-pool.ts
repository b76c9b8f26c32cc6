import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';

interface Answer {
  rows: unknown[];
  rowCount: number;
}

/** What PostgreSQL's saver uses of `pg.Pool`, over PGlite, whose one connection is lent to one user at a time. */
class PglitePool {
  #db: PGlite;
  #free: Promise<void> = Promise.resolve();

  constructor(db: PGlite) {
    this.#db = db;
  }

  async connect(): Promise<{ query: PglitePool['query']; release: () => void }> {
    const before = this.#free;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#free = promise;
    await before;
    return { query: (text, values) => this.#run(text, values), release: resolve };
  }

  async query(text: string, values?: readonly unknown[]): Promise<Answer> {
    const client = await this.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  }

  on(): this {
    return this;
  }

  /** The data outlives the pool, as a server's would. */
  async end(): Promise<void> {}

  async #run(text: string, values: readonly unknown[] = []): Promise<Answer> {
    if (values.length === 0) {
      const last = (await this.#db.exec(text)).at(-1);
      return { rows: last?.rows ?? [], rowCount: last?.affectedRows ?? 0 };
    }
    const { rows, affectedRows } = await this.#db.query(
      text,
      values.map((value) => value ?? null),
    );
    return { rows, rowCount: affectedRows ?? rows.length };
  }
}

/** A stand-in for a PostgreSQL server, in this process: pools over the same data, and its end. */
export async function startPglite(): Promise<{ pool(): pg.Pool; stop(): Promise<void> }> {
  const db = await PGlite.create();
  return {
    // The saver asks a pool for no more than the class above has.
    pool: () => new PglitePool(db) as unknown as pg.Pool,
    stop: () => db.close(),
  };
}

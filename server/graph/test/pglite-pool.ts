import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';

interface Answer {
  rows: unknown[];
  rowCount: number;
}

/** The part of `pg.Pool` that PostgreSQL's saver uses, over PGlite. Its only connection serves one user at a time. */
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

  /** The data outlives the pool, like that of a server. */
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

/** An in-process replacement for a PostgreSQL server: pools that share the same data, and a way to stop it. */
export async function startPglite(): Promise<{ pool(): pg.Pool; stop(): Promise<void> }> {
  const db = await PGlite.create();
  return {
    // The saver uses only those parts of a pool that the class above has.
    pool: () => new PglitePool(db) as unknown as pg.Pool,
    stop: () => db.close(),
  };
}

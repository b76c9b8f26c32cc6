import { expose } from 'comlink';
import { type OpfsSAHPoolDatabase, startSqlite } from '../peers/sqlite.ts';
import type { Files } from './data.ts';
import type { Listed } from './subject.ts';

/** Files as rows, with SQLite used as intended: prepared statements, one transaction per step. */
export class SqliteFiles {
  #db: OpfsSAHPoolDatabase | undefined;

  get #open(): OpfsSAHPoolDatabase {
    return this.#db as OpfsSAHPoolDatabase;
  }

  async open(name: string): Promise<void> {
    const sqlite = await startSqlite();
    const pool = await sqlite.installOpfsSAHPoolVfs({ name: `pool-${name}`, directory: `/sqlite-${name}` });
    this.#db = new pool.OpfsSAHPoolDb('/files.db');
    this.#open.exec(`
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
      CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, parent TEXT NOT NULL, name TEXT NOT NULL, data BLOB) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS by_parent ON files (parent, name, path, length(data));
      CREATE TABLE IF NOT EXISTS checkpoint (path TEXT PRIMARY KEY, parent TEXT, name TEXT, data BLOB) WITHOUT ROWID;
    `);
  }
  async close(): Promise<void> {
    this.#open.close();
  }
  async create(files: Files): Promise<void> {
    const statement = this.#open.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)');
    this.#open.transaction(() => {
      for (const [path, data] of files) {
        const slash = path.lastIndexOf('/');
        statement.bind([path, path.slice(0, slash), path.slice(slash + 1), data]).stepReset();
      }
    });
    statement.finalize();
  }
  async list(folder: string): Promise<Listed[]> {
    const rows = this.#open.selectArrays('SELECT name, length(data) FROM files WHERE parent = ? ORDER BY name', [
      folder,
    ]);
    return rows.map(([name, size]) => ({ name: String(name), isDirectory: false, size: Number(size) }));
  }
  async readMany(paths: readonly string[]): Promise<Uint8Array[]> {
    const statement = this.#open.prepare('SELECT data FROM files WHERE path = ?');
    const contents = paths.map((path) => {
      statement.bind([path]).step();
      const data = statement.getBlob(0) ?? new Uint8Array();
      statement.reset();
      return data;
    });
    statement.finalize();
    return contents;
  }
  async overwrite(path: string, data: Uint8Array): Promise<void> {
    this.#open.exec({ sql: 'UPDATE files SET data = ? WHERE path = ?', bind: [data, path] });
  }
  async rename(from: string, to: string): Promise<void> {
    this.#open.exec({
      sql: `UPDATE files SET path = $to || substr(path, $length), parent = $to || substr(parent, $length)
            WHERE path > $from || '/' AND path < $from || '0'`,
      bind: { $from: from, $to: to, $length: from.length + 1 },
    });
  }
  async remove(folder: string): Promise<void> {
    this.#open.exec({
      sql: `DELETE FROM files WHERE path > $from || '/' AND path < $from || '0'`,
      bind: { $from: folder },
    });
  }
  async checkpoint(): Promise<void> {
    this.#open.exec('BEGIN; DELETE FROM checkpoint; INSERT INTO checkpoint SELECT * FROM files; COMMIT');
  }
  async restore(): Promise<void> {
    this.#open.exec('BEGIN; DELETE FROM files; INSERT INTO files SELECT * FROM checkpoint; COMMIT');
  }
  async search(pattern: string): Promise<number> {
    const expression = new RegExp(pattern, 'm');
    const decoder = new TextDecoder();
    const statement = this.#open.prepare('SELECT data FROM files');
    let found = 0;
    while (statement.step()) if (expression.test(decoder.decode(statement.getBlob(0) ?? undefined))) found++;
    statement.finalize();
    return found;
  }
}

expose(new SqliteFiles());

import { FileSystemError } from '../errors.ts';
import { openDatabase } from './open-database.ts';
import type { WorkspaceDatabase } from './schema.ts';

const CLOSED_REASONS = {
  closed: 'the workspace was closed',
  upgraded: 'another tab is running a newer version of the studio; reload this page',
  terminated: 'the browser has closed its storage; reload this page',
};

/** The connection to a workspace's database and, once it is closed, the reason for that. */
export class Connection {
  readonly db: WorkspaceDatabase;
  #closed: keyof typeof CLOSED_REASONS | undefined;

  /**
   * Opens or creates the database. `onBlocked` is called if a tab with an older version of the studio keeps it open.
   * Rejects with IndexedDB's errors.
   */
  static async open(name: string, onBlocked: () => void): Promise<Connection> {
    let connection: Connection | undefined;
    const db = await openDatabase(name, {
      onClosed(reason) {
        if (connection !== undefined) connection.#closed ??= reason;
      },
      onBlocked,
    });
    connection = new Connection(db);
    return connection;
  }

  private constructor(db: WorkspaceDatabase) {
    this.db = db;
  }

  /** Throws FileSystemError EIO for `path`, with the reason, if the database was closed. */
  check(path: string): void {
    if (this.#closed !== undefined) throw new FileSystemError('EIO', path, { detail: CLOSED_REASONS[this.#closed] });
  }

  /** Closes the database. From now on, `check` throws. */
  close(): void {
    this.#closed ??= 'closed';
    this.db.close();
  }
}

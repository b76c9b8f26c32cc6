import { ConfigError } from '#config/errors.ts';
import type { Checkpointer } from './checkpointer.ts';

/** A kind of database that can keep checkpoints. */
interface CheckpointerKind {
  /** The form of the URLs of such databases, such as `sqlite:<file>`, for error messages. */
  form: string;
  /** Matches the URLs of such databases. */
  accepts: RegExp;
  /**
   * Loads the code for such databases. The `open` that it resolves with opens the database of a URL, and rejects with the
   * database's error if it cannot be reached.
   */
  load(): Promise<{ open(url: string): Promise<Checkpointer> }>;
}

/** All kinds of databases. A new kind is a file and an entry here. */
const CHECKPOINTERS: readonly CheckpointerKind[] = [
  { form: 'memory:', accepts: /^memory:$/, load: () => import('./memory-saver.ts') },
  { form: 'sqlite:<file>', accepts: /^sqlite:./, load: () => import('./sqlite-saver.ts') },
  {
    form: 'postgres://<user>@<host>/<database>',
    accepts: /^postgres(ql)?:\/\//,
    load: () => import('./postgres-saver.ts'),
  },
];

/**
 * Finds the kind of database (in memory, SQLite, or PostgreSQL) that a `DATABASE_URL` names, with the way to open it (`load`).
 * Throws `ConfigError` if there is none. The message does not repeat the URL, which may hold a password.
 */
export function kindOfDatabase(url: string): CheckpointerKind {
  const kind = CHECKPOINTERS.find(({ accepts }) => accepts.test(url));
  if (kind !== undefined) return kind;
  const forms = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(CHECKPOINTERS.map(({ form }) => form));
  throw new ConfigError(`The environment variables are invalid:\n  DATABASE_URL: must be ${forms}`);
}

/**
 * Opens the checkpointer for a `DATABASE_URL`. Rejects with `ConfigError` if no kind of database has such URLs, and with the
 * database's error if the database cannot be reached.
 */
export async function openCheckpointer(url: string): Promise<Checkpointer> {
  const { open } = await kindOfDatabase(url).load();
  return open(url);
}

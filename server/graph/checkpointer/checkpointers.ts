import { ConfigError } from '#config/errors.ts';
import type { Checkpointer } from './checkpointer.ts';

/** A kind of database that can keep checkpoints. */
interface CheckpointerKind {
  /** The form of its URLs, for people to read. */
  form: string;
  /** Matches its URLs. */
  accepts: RegExp;
  /** Loads its code. `open` rejects with the database's error if the database cannot be reached. */
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
 * Finds the kind of database for a `DATABASE_URL`. Throws `ConfigError` if there is none. The message does not repeat the
 * URL, which may hold a password.
 */
export function kindOfDatabase(url: string): CheckpointerKind {
  const kind = CHECKPOINTERS.find(({ accepts }) => accepts.test(url));
  if (kind !== undefined) return kind;
  const forms = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(CHECKPOINTERS.map(({ form }) => form));
  throw new ConfigError(`The environment variables are invalid:\n  DATABASE_URL: must be ${forms}`);
}

/** Opens the checkpointer for a `DATABASE_URL`. Rejects with `ConfigError`, or with the database's error. */
export async function openCheckpointer(url: string): Promise<Checkpointer> {
  const { open } = await kindOfDatabase(url).load();
  return open(url);
}

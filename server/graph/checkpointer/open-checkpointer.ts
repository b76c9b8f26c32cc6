import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '#server/config/errors.ts';
import type { Checkpointer } from './checkpointer.ts';
import { LatestMemorySaver } from './memory-saver.ts';
import { SqliteSaver } from './sqlite-saver.ts';

/**
 * Opens the checkpointer for a `DATABASE_URL`: `memory:`, `sqlite:<file>` or `postgres://…`.
 * Throws `ConfigError` for any other URL. If the database cannot be reached, it rejects with the database's error.
 */
export async function openCheckpointer(url: string): Promise<Checkpointer> {
  if (url === 'memory:') return new LatestMemorySaver();
  if (url.startsWith('sqlite:')) {
    const file = resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=[^/])/, ''));
    mkdirSync(dirname(file), { recursive: true });
    return SqliteSaver.open(file);
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { LatestPostgresSaver } = await import('./postgres-saver.ts');
    return LatestPostgresSaver.open(url);
  }
  throw new ConfigError('DATABASE_URL must be memory:, sqlite:<file> or postgres://<user>@<host>/<database>');
}

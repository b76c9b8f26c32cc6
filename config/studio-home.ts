import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from './env.ts';

/**
 * Returns the folder in which an installed studio keeps what it stores, and looks for its files: `STUDIO_HOME`, or the usual
 * place for the data of programs. Relative paths count from `directory`.
 */
export function studioHome(env: Environment, directory: string): string {
  if (env.STUDIO_HOME) return resolve(directory, env.STUDIO_HOME);
  const data = env.XDG_DATA_HOME;
  const folder = data !== undefined && isAbsolute(data) ? data : join(env.HOME || homedir(), '.local/share');
  return join(folder, 'roundtrip-studio');
}

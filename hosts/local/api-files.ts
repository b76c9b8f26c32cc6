import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The person's own APIs, which every process offers: each file of this folder describes one. */
export const ownApiFiles = (env: Readonly<Record<string, string | undefined>>): string[] => {
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'roundtrip', 'apis');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
};

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the paths of the YAML files that describe the person's own HTTP APIs, sorted by name. They are in the folder
 * `roundtrip/apis` of `XDG_CONFIG_HOME` or `~/.config`; none if there is no such folder. Every process offers these APIs,
 * whichever folder it works on; the caller leaves out files in that folder.
 */
export const ownApiFiles = (env: Readonly<Record<string, string | undefined>>): string[] => {
  const folder = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'roundtrip', 'apis');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
};

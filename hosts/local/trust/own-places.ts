import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the person's folder `roundtrip`. It is in the directory that a variable names or, without one, in `otherwise`, below
 * home.
 */
const ownFolder = (env: Environment, variable: string, otherwise: string): string => {
  const named = env[variable] ?? '';
  return join(isAbsolute(named) ? named : join(env.HOME || homedir(), otherwise), 'roundtrip');
};

/** The file in which the person lists tool servers for all folders. */
export const ownServersFile = (env: Environment): string =>
  join(ownFolder(env, 'XDG_CONFIG_HOME', '.config'), 'mcp.yaml');

/** The file that records which external tools the person has allowed. */
export const ownPinsFile = (env: Environment): string => join(ownState(env), 'allowed-tools.json');

/** The file that records which files with tools the person lets the model use. */
export const ownAnswersFile = (env: Environment): string => join(ownState(env), 'tools-of-folders.json');

/** The file that records which configurations of folders the person trusts. */
export const ownConfigAnswersFile = (env: Environment): string => join(ownState(env), 'trusted-configurations.json');

/** The folder of the notes that say what has to be taken away from a folder if a command is killed. */
export const ownGuards = (env: Environment, root: string): string => join(ownState(env), 'guards', nameOf(root));

/** The file that names the turns that were begun in a folder. */
export const ownTurnsFile = (env: Environment, root: string): string =>
  join(ownState(env), 'turns', `${nameOf(root)}.json`);

const nameOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 32);

const ownState = (env: Environment): string => ownFolder(env, 'XDG_STATE_HOME', '.local/state');

/** Checks whether a path is in a folder, wherever links lead. `root`: real and absolute. */
export function isInFolder(root: string, path: string): boolean {
  const place = realPlace(path);
  return place === root || place.startsWith(root === sep ? sep : `${root}${sep}`);
}

/** Returns a path with all symbolic links resolved, as far as it exists. */
const realPlace = (path: string): string =>
  existsSync(path)
    ? realpathSync(path)
    : path === dirname(path)
      ? path
      : join(realPlace(dirname(path)), basename(path));

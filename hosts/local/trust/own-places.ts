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

/** Returns the path of the file in which the person lists tool servers for all folders. */
export const ownServersFile = (env: Environment): string =>
  join(ownFolder(env, 'XDG_CONFIG_HOME', '.config'), 'mcp.yaml');

/** Returns the path of the file that records which external tools the person has allowed. */
export const ownPinsFile = (env: Environment): string => join(ownState(env), 'allowed-tools.json');

/** Returns the path of the file that records which workspace tools the person lets the model use. */
export const workspaceToolAnswersFile = (env: Environment): string => join(ownState(env), 'tools-of-folders.json');

/** Returns the path of the file that records which configurations of folders the person trusts. */
export const ownConfigAnswersFile = (env: Environment): string => join(ownState(env), 'trusted-configurations.json');

/**
 * Returns the path of the folder in which `GitGuard` keeps its notes about `root`. By these, a later process removes what a
 * killed command has created for git to run.
 */
export const ownGuards = (env: Environment, root: string): string => join(ownState(env), 'guards', nameOf(root));

/** Returns the path of the file with the ids of the turns that were begun in a folder. */
export const ownTurnsFile = (env: Environment, root: string): string =>
  join(ownState(env), 'turns', `${nameOf(root)}.json`);

const nameOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 32);

const ownState = (env: Environment): string => ownFolder(env, 'XDG_STATE_HOME', '.local/state');

/** Checks whether a path is a folder or in it, with symbolic links resolved. `root`: the folder, real and absolute. */
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

import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { findProgram, pathOutside } from '#lib/confinement/environment.ts';
import { GIT_ASKED_MAX, GIT_TIMEOUT_MS } from './limits.ts';

/** A setting of git. `origin`: the file that has it; undefined if it does not come from a file. */
interface Setting {
  origin: string | undefined;
  /** The name of the setting, in lower case, but for the part between the first and the last dot. */
  key: string;
  value: string;
}

/** Matches the keys of settings whose value is a command that git runs, or a program. */
const COMMANDS =
  /^((alias|pager)\..+|core\.(fsmonitor|editor|pager|sshcommand|gitproxy|askpass|alternaterefscommand)|credential\.(.+\.)?helper|diff\.external|.+\.(clean|smudge|process|textconv|driver|command|cmd|uploadpack|receivepack)|submodule\..+\.update|(man|browser|difftool|mergetool)\..+\.path|sendemail\.(.+\.)?(smtpserver|tocmd|cccmd|sendmailcmd)|gpg\.(.+\.)?program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|sequence\.editor|uploadpack\.packobjectshook|init\.templatedir)$/i;

/** Matches the keys of settings whose value is a file with more settings. */
const INCLUDES = /^include(if\..+)?\.path$/i;

/** The folder in which Husky keeps what it creates; the hooks themselves are in the folder above. */
const HUSKY = '_';

/**
 * Lists the paths in the folder from which git would read settings, or which it would run, when somebody uses it in one of
 * these directories. The paths are absolute, and need not exist; those in `.git` folders are left out. Git itself is asked, so
 * settings of the person and of the system count, too. Without git on this machine, the list is empty. `root`: the folder, real
 * and absolute.
 */
export function gitUses(
  root: string,
  directories: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const path = pathOutside(env.PATH, root);
  const git = findProgram('git', path);
  if (git === undefined) return [];
  const found = new Set<string>();
  for (const directory of [...new Set([root, ...directories])].slice(0, GIT_ASKED_MAX)) {
    const ask = (...args: readonly string[]) => answerOf(git, args, directory, { ...env, PATH: path });
    const top = ask('rev-parse', '--show-toplevel')?.trim() || directory;
    const hooks = ask('rev-parse', '--git-path', 'hooks')?.trim();
    const settings = parseSettings(ask('config', '--list', '--show-origin', '--includes', '-z') ?? '', directory);
    // Where there is no repository, there may be one later.
    const set = settings.findLast(({ key }) => key === 'core.hookspath')?.value;
    const hooksPath = hooks !== undefined ? resolve(directory, hooks) : set && resolve(top, atHome(set, env));
    const used = [
      ...(hooksPath ? [hooksPath, ...(basename(hooksPath) === HUSKY ? [dirname(hooksPath)] : [])] : []),
      ...settings.flatMap((setting) => usedBy(setting, top, env)),
    ];
    for (const one of used) for (const place of placesOf(one)) if (place.startsWith(`${root}/`)) found.add(place);
  }
  // Commands may commit and the like. What is protected in a repository is known without git.
  return [...found].filter((place) => !/\/\.git(\/|$)/.test(place));
}

/**
 * Returns the files that a setting makes git use: the file that has the setting, and those that its value names as settings,
 * commands, or programs.
 */
function usedBy({ origin, key, value }: Setting, top: string, env: Environment): string[] {
  const files = origin === undefined ? [] : [origin];
  if (INCLUDES.test(key)) files.push(resolve(dirname(origin ?? join(top, '.')), atHome(value, env)));
  else if (COMMANDS.test(key))
    for (const word of value.split(/[\s"'`;|&()<>=!]+/)) {
      if (word === '' || word.startsWith('-')) continue;
      const file = resolve(top, atHome(word, env));
      // A plain word is more often a program on the path than a file in the folder.
      if (word.includes('/') || lstatSync(file, { throwIfNoEntry: false })?.isFile()) files.push(file);
    }
  return files;
}

/**
 * Returns a path, and its target if links lead elsewhere. For a path that does not exist, returns its first part that is
 * missing; if that is a link that leads nowhere, also the places of its target.
 */
function placesOf(path: string, links = 0): string[] {
  let place = path;
  while (!existsSync(dirname(place))) place = dirname(place);
  if (existsSync(place)) return [place, realpathSync(place)];
  const missing = join(realpathSync(dirname(place)), basename(place));
  // A link that leads nowhere yet.
  const isLink = lstatSync(missing, { throwIfNoEntry: false })?.isSymbolicLink() && links < LINKS_MAX;
  return isLink ? [missing, ...placesOf(resolve(dirname(missing), readlinkSync(missing)), links + 1)] : [missing];
}

/** The maximum number of links that are followed one after the other; systems give up sooner. */
const LINKS_MAX = 40;

type Environment = Readonly<Record<string, string | undefined>>;

const atHome = (path: string, { HOME = '/' }: Environment): string =>
  path.startsWith('~/') ? join(HOME, path.slice(2)) : path;

/**
 * Reads git's list of settings. Its parts, with a null character after each, are by turns the origin of a setting, and the
 * setting's key with its value on the following lines. `directory`: the folder in which git listed them, from which relative
 * origins lead.
 */
function parseSettings(listed: string, directory: string): Setting[] {
  const parts = listed.split('\0');
  const settings: Setting[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [origin = '', entry = ''] = parts.slice(index);
    const file = origin.startsWith('file:') ? origin.slice('file:'.length) : undefined;
    const end = entry.indexOf('\n');
    settings.push({
      origin: file === undefined || isAbsolute(file) ? file : resolve(directory, file),
      key: end === -1 ? entry : entry.slice(0, end),
      value: end === -1 ? '' : entry.slice(end + 1),
    });
  }
  return settings;
}

/**
 * Returns the output of git; undefined if git fails, as outside of repositories. None of the commands used here runs programs
 * that settings name.
 */
function answerOf(git: string, args: readonly string[], cwd: string, variables: Environment): string | undefined {
  const others: Environment = { GIT_OPTIONAL_LOCKS: '0', GIT_DIR: undefined, GIT_WORK_TREE: undefined, LC_ALL: 'C' };
  const env = { ...variables, ...others } as NodeJS.ProcessEnv;
  try {
    return execFileSync(git, [...args], {
      cwd,
      env,
      timeout: GIT_TIMEOUT_MS,
      encoding: 'utf8',
      maxBuffer: 10_000_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

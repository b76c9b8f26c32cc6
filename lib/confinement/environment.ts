import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';

/** The names of variables that programs get from this process's environment: none that could hold a key. */
const PASSED = /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|TZ|LANG|LANGUAGE|LC_[A-Z]+)$/;

/**
 * Returns the variables of `env` that programs started by tools may have: those in a list of allowed names, none of which
 * could hold a key.
 */
export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && PASSED.test(name)) passed[name] = value;
  return passed;
}

/**
 * Folders below home, by their path from there, that contain nothing but programs and what these need: `from` is where
 * programs are found, and `also` is what they use.
 */
const PROGRAM_ROOTS: readonly { from: string; also: readonly string[] }[] = [
  ...[
    ...[
      '.nvm',
      '.volta',
      '.fnm',
      '.nodenv',
      '.bun',
      '.deno',
      '.asdf',
      '.sdkman',
      '.jenv',
      '.goenv',
      '.rbenv',
      '.pyenv',
    ],
    ...['.linuxbrew', 'miniconda3', 'miniforge3', 'mambaforge', 'anaconda3', '.local/share/fnm', '.local/share/mise'],
  ].map((root) => ({ from: root, also: [root] })),
  { from: '.cargo/bin', also: ['.rustup/toolchains', '.rustup/settings.toml'] },
  { from: '.local/bin', also: ['.local/lib', '.local/pipx', '.local/share/pipx', '.local/share/uv'] },
];

/**
 * Returns the folders below home that programs in `PATH` need: the folders of `PATH`, the libraries beside them, and the known
 * folders of version managers. Other folders of home are left out, because they may hold keys. `path`: the value of `PATH`.
 */
export function programFolders(path: string | undefined, home = homedir()): string[] {
  const folders = new Set<string>();
  for (const folder of (path ?? '').split(delimiter)) {
    const below = relative(home, folder);
    if (!isAbsolute(folder) || below === '' || below.startsWith('..') || isAbsolute(below)) continue;
    folders.add(join(/* turbopackIgnore: true */ home, below));
    const [name, parent] = [basename(below), dirname(below)];
    if (name === 'bin' && parent !== '.')
      for (const used of ['lib', 'libexec']) folders.add(join(/* turbopackIgnore: true */ home, parent, used));
    if (name === '.bin') folders.add(join(/* turbopackIgnore: true */ home, parent));
    for (const { from, also } of PROGRAM_ROOTS)
      if (below === from || below.startsWith(`${from}/`))
        for (const used of also) folders.add(join(/* turbopackIgnore: true */ home, used));
  }
  return [...folders];
}

/** Returns `PATH` without folders that are in `root`, are relative, or do not exist. `root`: real and absolute. */
export const pathOutside = (path: string | undefined, root: string): string =>
  (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && existsSync(folder) && !isInside(root, realpathSync(folder)))
    .join(delimiter);

const isInside = (root: string, folder: string): boolean =>
  root === '/' || folder === root || folder.startsWith(`${root}/`);

/**
 * Returns the path of a program by its name, found in the folders of `path` (as in `PATH`); undefined if it is not there, or
 * cannot be run.
 */
export function findProgram(name: string, path: string | undefined): string | undefined {
  return (path ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((place) => {
      try {
        accessSync(place, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Replaces the paths of this machine in what a program has printed: `root`, the folder in which tools work, becomes `/`, and
 * home becomes `~`.
 */
export function withoutMachinePaths(text: string, root: string, home = homedir()): string {
  const own = root === '/' ? text : replacePath(text, root, '/');
  return home === '/' || home === '' ? own : replacePath(own, home, '~');
}

function replacePath(text: string, path: string, by: string): string {
  if (!text.includes(path)) return text;
  // Not a part of a longer name, such as `/home/me/project-2`.
  const pattern = new RegExp(`${RegExp.escape(path)}(?=$|[^\\p{L}\\p{N}_.-]|\\.(?:\\s|$))`, 'gu');
  return text.replace(pattern, (_, at: number) => (by === '/' && text[at + path.length] === '/' ? '' : by));
}

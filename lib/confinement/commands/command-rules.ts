import { relative } from 'node:path/posix';
import { outlineScript, programOf, type ScriptCommand, type ScriptOutline } from './outline-script.ts';

/** The commands that may run without a question, and those that never run, each by how it begins, such as `npm test`. */
interface CommandRules {
  allow: readonly string[];
  deny: readonly string[];
}

/** The place where commands run. */
interface CommandPlace {
  /** The real, absolute path of the folder that commands work in. */
  root: string;
  /** The working directory of the command, as a path below `root`, which is `/`. */
  cwd: string;
}

/**
 * Returns the reason why a script must not run, as a sentence for the model; undefined if it may run. The reasons: it cannot be
 * parsed, has a command that begins like one in `deny`, or would destroy the whole folder, its git history, or the machine.
 * This prevents accidents; what a command can reach is limited by its confinement, not by this. `place`: the folder, and the
 * working directory in it.
 */
export function refusal(script: string, { deny }: Pick<CommandRules, 'deny'>, place: CommandPlace): string | undefined {
  const outline = outlineScript(script);
  if (outline === undefined) return UNREADABLE;
  return denied(outline, deny) ?? destructive(outline, place);
}

/**
 * Checks whether a script may run without a question: it is plain (see `ScriptOutline`), and each of its commands begins with
 * the words of an entry in `allow`. False for a script without commands.
 */
export function isAllowed(script: string, { allow }: Pick<CommandRules, 'allow'>): boolean {
  const outline = outlineScript(script);
  if (outline === undefined || outline.commands.length === 0 || !outline.isPlain) return false;
  return outline.commands.every(({ words }) => allow.some((prefix) => beginsWith(words, prefix, false)));
}

/**
 * Returns the beginnings to be added to `allow`, so that the script may run without a question from now on: its commands,
 * word for word. Undefined if that would not allow it: it is not plain (see `ScriptOutline`), or has words with spaces.
 */
export function prefixesOf(script: string): string[] | undefined {
  const { commands = [] } = outlineScript(script) ?? {};
  const prefixes = commands.map(({ words }) => words.join(' '));
  const isFixed = commands.every(
    ({ words }) => words.length > 0 && words.every((word) => word !== null && /^\S+$/.test(word)),
  );
  return isFixed && isAllowed(script, { allow: prefixes }) ? [...new Set(prefixes)] : undefined;
}

/** Checks whether a command begins with the words of a prefix. `inAnyFolder`: the program may be named with its folder. */
function beginsWith(words: ScriptCommand['words'], prefix: string, inAnyFolder: boolean): boolean {
  const wanted = prefix.trim().split(/\s+/);
  const [first, ...rest] = wanted;
  const name = inAnyFolder ? programOf(words) : words[0];
  return name === first && rest.every((word, index) => words[index + 1] === word);
}

/** Checks whether a command could begin like a prefix, because some of its words are only known when it runs. */
function mayBeginWith(words: ScriptCommand['words'], prefix: string): boolean {
  const [first, ...rest] = prefix.trim().split(/\s+/);
  const isAlike = words[0] === null || programOf(words) === first;
  const isLongEnough = words.includes(null) || words.length > rest.length;
  return (
    isAlike &&
    isLongEnough &&
    words.slice(0, rest.length + 1).includes(null) &&
    rest.every((word, index) => {
      // A word that is not fixed can stand for several, or for none.
      const known = words.slice(0, index + 2);
      return known.includes(null) || known[index + 1] === word;
    })
  );
}

function denied({ commands }: ScriptOutline, deny: readonly string[]): string | undefined {
  for (const { words } of commands) {
    const prefix = deny.find((one) => beginsWith(words, one, true));
    if (prefix !== undefined) return `The settings of this folder do not allow commands that begin with "${prefix}".`;
    const hidden = deny.find((one) => mayBeginWith(words, one));
    if (hidden !== undefined)
      return `The settings of this folder deny "${hidden}", so the name of each program and its first words must be written out, not taken from a variable.`;
  }
  return undefined;
}

/**
 * The reason for refusing a script that cannot be parsed: bash would run the lines before the error, so nothing is known of
 * what the script would do.
 */
const UNREADABLE =
  'The command could not be understood, so nothing is known of what it would do. Check its quotes and brackets, or write it in a simpler way: several commands, or a script in a file.';

/** Programs that only administrators need, and that end or erase a machine. */
const NEVER: ReadonlySet<string> = new Set([
  'mkfs',
  'mke2fs',
  'mkswap',
  'wipefs',
  'fdisk',
  'sfdisk',
  'parted',
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
]);

function destructive({ commands, bombs }: ScriptOutline, place: CommandPlace): string | undefined {
  if (bombs.length > 0) return `The function "${bombs[0]}" starts itself again and again without end.`;
  let cwd: string | undefined = place.cwd;
  for (const { words, braced, writesTo } of commands) {
    const program = programOf(words);
    if (program === 'cd') cwd = words[1] === null ? undefined : resolve(words[1] ?? '/', cwd, place);
    if (program !== undefined && (NEVER.has(program) || program.startsWith('mkfs.')))
      return `"${program}" would erase or stop the machine.`;
    const device = writesTo.find((file) => file !== null && isDisk(file));
    if (device !== undefined) return `Writing to ${device} would erase a disk.`;
    const reason = program === undefined ? undefined : destruction(program, [...words.slice(1), ...braced], cwd, place);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function destruction(
  program: string,
  given: ScriptCommand['words'],
  cwd: string | undefined,
  place: CommandPlace,
): string | undefined {
  const words = given.filter((word) => word !== null);
  const isWhole = (target: string) => resolve(folderOf(target), cwd, place) === '/';
  const targets = words.filter((word) => !word.startsWith('-'));
  const isRecursive = words.some((word) => /^-[a-zA-Z]*[rR]/.test(word) || word === '--recursive');
  switch (program) {
    case 'rm': {
      const whole = isRecursive ? targets.find(isWhole) : undefined;
      const repository = isRecursive
        ? targets.find((target) => HISTORY.test(`${resolve(folderOf(target), cwd, place) ?? ''}/`))
        : undefined;
      if (repository !== undefined) return `It would delete the history of a repository (${repository}).`;
      return whole === undefined
        ? undefined
        : `It would delete everything in the folder (${whole}). Name the files or folders to delete.`;
    }
    case 'git': {
      const rest = words.slice(words.indexOf('clean') + 1);
      const flags = rest.filter((word) => /^-[a-zA-Z]+$/.test(word)).join('');
      const isDryRun = /n/.test(flags) || rest.includes('--dry-run');
      return words.includes('clean') && /[xX]/.test(flags) && !isDryRun && rest.every((word) => word.startsWith('-'))
        ? 'It would delete all files that git ignores, such as settings and packages. Name the files or folders to delete.'
        : undefined;
    }
    case 'find': {
      const deletes =
        words.includes('-delete') || (words.includes('rm') && words.some((word) => word.startsWith('-exec')));
      const isFiltered = words.some((word) =>
        /^-(i?name|i?path|i?regex|type|newer|size|m(in|time)|empty|maxdepth)$/.test(word),
      );
      const start = targets[0] ?? '.';
      return deletes && !isFiltered && isWhole(start)
        ? `It would delete everything in the folder (${start}).`
        : undefined;
    }
    case 'dd': {
      const output = words.find((word) => word.startsWith('of='))?.slice(3);
      return output?.startsWith('/dev/') && output !== '/dev/null'
        ? `Writing to ${output} would erase a disk.`
        : undefined;
    }
    case 'shred':
    case 'tee': {
      const device = targets.find(isDisk);
      return device === undefined ? undefined : `Writing to ${device} would erase a disk.`;
    }
    case 'chmod':
    case 'chown':
    case 'chgrp': {
      const whole = isRecursive
        ? targets.slice(1).find((target) => resolve(target, undefined, place) === '/' && target.startsWith('/'))
        : undefined;
      return whole === undefined ? undefined : `It would change the permissions of everything (${whole}).`;
    }
    case 'kill':
      return targets.length === 0 && words.at(-1) === '-1' ? 'It would end every process.' : undefined;
    default:
      return undefined;
  }
}

/**
 * The folder whose entries a target stands for, if it stands for all of them, such as `src/` for `src/*`; otherwise the target
 * itself.
 */
function folderOf(target: string): string {
  const end = target.lastIndexOf('/') + 1;
  return EVERYTHING.test(target.slice(end)) ? target.slice(0, end) || '.' : target;
}

/** Matches glob patterns that match all names. */
const EVERYTHING = /^(\*+|\?\*+|\*+\?)$/;

/** Matches the parts of a git repository without which its history is gone. */
const HISTORY = /\/\.git\/((objects|refs)\/([^/]*\/)?)?$/;

const isDisk = (file: string): boolean => /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|loop|dm-|md|mapper\/)/.test(file);

/**
 * The target as a path that starts with `/`, where `/` is the folder; also `/` for home, the machine's root, and any folder
 * that contains this one. Undefined for a relative path if `cwd` is unknown.
 */
function resolve(target: string, cwd: string | undefined, { root }: CommandPlace): string | undefined {
  if (/^~/.test(target)) return '/';
  const isReal = target === root || target.startsWith(`${root}/`);
  const path = isReal ? target.slice(root.length) : target;
  if (!path.startsWith('/') && !isReal && cwd === undefined) return undefined;
  if (path.startsWith('/') || isReal) {
    const found = joined(path);
    // A folder above this one contains it.
    return path.startsWith('/') && !isReal && root.startsWith(`${found === '/' ? '' : found}/`) ? '/' : found;
  }
  const found = joined(`${root}/${cwd}/${path}`);
  if (found === root || root.startsWith(`${found === '/' ? '' : found}/`)) return '/';
  return `/${relative(root, found)}`;
}

/** Resolves `.` and `..` in an absolute path. */
function joined(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

import { parseScript } from './parse-script.ts';

/** A simple command of a script, with what is known of it before it runs. */
export interface ScriptCommand {
  /** The words, first the program's name; null for a word that is only known when it runs. */
  words: readonly (string | null)[];
  /** The words that words with braces, such as `{a,b}`, stand for, as far as they are known. */
  braced: readonly string[];
  /** Files that it writes to by redirection; null for one that is only known when it runs. */
  writesTo: readonly (string | null)[];
}

/** The parts of a bash script that decide whether it may run. */
export interface ScriptOutline {
  /** All commands, those in substitutions, functions and nested scripts included, in the order written. */
  commands: readonly ScriptCommand[];
  /** The names of functions that start themselves again in the background or in a pipe, and so multiply without end. */
  bombs: readonly string[];
  /**
   * Whether the script is nothing but programs whose arguments are text, or patterns of files that begin with text, one after the
   * other or in pipes: no variables, assignments, braces, functions, substitutions, or control structures, nothing in the
   * background, and no redirections but to `/dev/null` or to another stream.
   */
  isPlain: boolean;
}

/**
 * The number of levels to which scripts within scripts, such as `bash -c "…"`, are looked into. A script with more is not
 * outlined.
 */
const DEPTH_MAX = 5;

/** The number of outlines that are kept in `kept`: each script is outlined several times before it runs. */
const KEPT = 20;
/** The latest outlines, by script, oldest first; undefined for a script that cannot be outlined. */
const kept = new Map<string, ScriptOutline | undefined>();

/**
 * Returns the outline of a bash script, without running it. Undefined if it, or a script in it, cannot be parsed reliably, or
 * if scripts are nested in it to more than `DEPTH_MAX` levels.
 */
export function outlineScript(script: string): ScriptOutline | undefined {
  if (kept.has(script)) return kept.get(script);
  const outline = outlineOf(script, 0);
  kept.set(script, outline);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return outline;
}

function outlineOf(script: string, depth: number): ScriptOutline | undefined {
  const ast = parseScript(script);
  if (ast === undefined) return undefined;
  const commands: ScriptCommand[] = [];
  const bombs: string[] = [];
  for (const node of nodesIn(ast)) {
    if (node.type === 'Glob' && isMoreThanPattern(node)) return undefined;
    if (node.type === 'FunctionDef' && isBomb(node)) bombs.push(String(node.name));
    if (node.type !== 'SimpleCommand') continue;
    const command = toCommand(node);
    commands.push(command);
    for (let words: Words | undefined = command.words; words !== undefined; words = innerOf(words)) {
      if (words !== command.words) commands.push({ ...command, words });
      const nested = nestedScript(words);
      if (nested === undefined) continue;
      const outline = depth === DEPTH_MAX ? undefined : outlineOf(nested, depth + 1);
      if (outline === undefined) return undefined;
      commands.push(...outline.commands);
      bombs.push(...outline.bombs);
    }
  }
  return { commands, bombs, isPlain: isPlain(ast) };
}

/**
 * Checks whether a pattern has characters at which bash ends it, or begins something else: the parser takes them as part of
 * it.
 */
const isMoreThanPattern = ({ pattern }: Node): boolean => /[\s;&|<>()$`'"\\]/.test(String(pattern));

type Words = ScriptCommand['words'];

type Node = Readonly<Record<string, unknown>>;

/** All objects of a syntax tree, outermost first. */
function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

/** The types of nodes in the syntax tree of a script that does nothing but start programs. */
const PLAIN: ReadonlySet<unknown> = new Set([
  ...['Script', 'Statement', 'Pipeline', 'SimpleCommand', 'Redirection', 'Word'],
  ...['Literal', 'SingleQuoted', 'DoubleQuoted', 'Escaped', 'Glob'],
]);

function isPlain(ast: unknown): boolean {
  for (const node of nodesIn(ast)) {
    const { type } = node;
    // Parts of nodes, such as positions, have no type.
    if (type !== undefined && !PLAIN.has(type)) return false;
    if (type === 'Statement' && (node.background === true || (node.deferredError ?? null) !== null)) return false;
    if (type === 'SimpleCommand' && listOf(node.assignments).length > 0) return false;
    if (type === 'Redirection' && !isHarmless(node)) return false;
    if (type === 'Glob' && !/^[\w*?./-]*$/.test(String(node.pattern))) return false;
    // A pattern at the beginning could stand for a file whose name reads like an option.
    if (type === 'Word' && (listOf(node.parts)[0] as Node | undefined)?.type === 'Glob') return false;
  }
  return true;
}

/** Checks whether a redirection throws output away or sends it to another stream. */
function isHarmless({ operator, target }: Node): boolean {
  const text = textOf(target);
  if (operator === '>&') return text !== null && /^\d$/.test(text);
  return isOutput(operator) && text === '/dev/null';
}

function toCommand(node: Node): ScriptCommand {
  const words = [node.name, ...listOf(node.args)].filter((word) => word !== null && word !== undefined);
  const redirections = listOf(node.redirections).filter((one): one is Node => typeof one === 'object' && one !== null);
  return {
    words: words.map(textOf),
    braced: words.flatMap((word) => (hasBraces(word) ? alternativesOf(word) : [])),
    writesTo: redirections.filter(({ operator }) => isOutput(operator)).map(({ target }) => textOf(target)),
  };
}

const isOutput = (operator: unknown): boolean => ['>', '>>', '>|', '&>', '&>>', '<>'].includes(String(operator));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The text of a word; null if it depends on variables, files or other commands. `~` stays and also stands for `$HOME`, and
 * `.` stands for `$PWD` and `$(pwd)`.
 */
function textOf(word: unknown): string | null {
  let text = '';
  for (const part of listOf((word as Node | null)?.parts)) {
    const { type, value, pattern, parts, user, parameter, operation, body } = part as Node;
    if (type === 'Literal' || type === 'SingleQuoted' || type === 'Escaped') text += String(value);
    else if (type === 'Glob') text += String(pattern);
    else if (type === 'ParameterExpansion' && (operation ?? null) === null && parameter === 'PWD') text += '.';
    else if (type === 'ParameterExpansion' && (operation ?? null) === null && parameter === 'HOME') text += '~';
    else if (type === 'CommandSubstitution' && isPwd(body)) text += '.';
    else if (type === 'TildeExpansion') text += `~${user ?? ''}`;
    else if (type === 'DoubleQuoted') {
      const inner = textOf({ parts });
      if (inner === null) return null;
      text += inner;
    } else return null;
  }
  return text;
}

const hasBraces = (word: unknown): boolean => listOf((word as Node | null)?.parts).some(isBraces);

const isBraces = (part: unknown): boolean => (part as Node).type === 'BraceExpansion';

/** The most words that one word with braces stands for here; others are left out. */
const ALTERNATIVES_MAX = 200;

/**
 * The words that a word with braces stands for; of a range, only its ends. An empty list if a part of the word is only known
 * when it runs.
 */
function alternativesOf(word: unknown): string[] {
  let texts = [''];
  for (const part of listOf((word as Node | null)?.parts)) {
    const next = isBraces(part)
      ? listOf((part as Node).items).flatMap((item) => {
          const { type, start, end, word: inner } = item as Node;
          return type === 'Range' ? [String(start), String(end)] : alternativesOf(inner);
        })
      : [textOf({ parts: [part] })].filter((text) => text !== null);
    texts = texts.flatMap((text) => next.map((more) => text + more)).slice(0, ALTERNATIVES_MAX);
  }
  return texts;
}

/** Checks whether a script is nothing but `pwd`. */
function isPwd(body: unknown): boolean {
  const commands = [...nodesIn(body)].filter(({ type }) => type === 'SimpleCommand');
  return commands.length === 1 && textOf(commands[0]?.name) === 'pwd';
}

/** Programs that run the command in their arguments, and their options that take a value. */
const WRAPPERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sudo', ['-u', '-g', '-h', '-p', '-C', '-T']],
  ['doas', ['-u', '-C']],
  ['env', ['-u', '-C', '-S']],
  ['nice', ['-n']],
  ['ionice', ['-c', '-n']],
  ['nohup', []],
  ['setsid', []],
  ['stdbuf', ['-i', '-o', '-e']],
  ['command', []],
  ['builtin', []],
  ['exec', ['-a']],
  ['time', ['-f', '-o']],
  ['timeout', ['-s', '-k']],
  ['xargs', ['-I', '-n', '-P', '-L', '-d', '-a', '-s', '-E']],
  ['busybox', []],
]);

/** The command that a program such as `sudo`, `xargs` or `find … -exec` runs; undefined for others. */
function innerOf(words: Words): Words | undefined {
  const name = programOf(words);
  if (name === 'find') {
    const at = words.findIndex((word) => word !== null && /^-(exec|ok)(dir)?$/.test(word));
    return at === -1 || at + 1 === words.length ? undefined : words.slice(at + 1);
  }
  const valued = name === undefined ? undefined : WRAPPERS.get(name);
  if (valued === undefined) return undefined;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined) break;
    if (valued.includes(word)) at++;
    else if (
      !word.startsWith('-') &&
      !/^[A-Za-z_]\w*=/.test(word) &&
      !(name === 'timeout' && /^[\d.]+[smhd]?$/.test(word))
    )
      break;
  }
  return at < words.length ? words.slice(at) : undefined;
}

/**
 * The script in the arguments of a shell, of `eval`, of `trap`, or of `env -S`; undefined if there is none, or if it is only
 * known when it runs.
 */
function nestedScript(words: Words): string | undefined {
  const name = programOf(words);
  if (name === 'eval') return words.slice(1).every((word) => word !== null) ? words.slice(1).join(' ') : undefined;
  if (name === 'trap') return words[words[1] === '--' ? 2 : 1] ?? undefined;
  if (name === 'env') {
    const at = words.findIndex((word) => word === '-S' || word === '--split-string');
    return at === -1 ? undefined : (words[at + 1] ?? undefined);
  }
  if (name === undefined || !['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash'].includes(name)) return undefined;
  let isScript = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined || !/^[-+]/.test(word)) return isScript ? (word ?? undefined) : undefined;
    if (/^-[A-Za-z]*c/.test(word)) isScript = true;
    // The name of a setting follows.
    if (/^[-+][A-Za-z]*[oO]/.test(word) || word === '--rcfile' || word === '--init-file') at++;
  }
  return undefined;
}

/** The name of the program that a command starts, without its folder; undefined if it is known only when the command runs. */
export function programOf(words: Words): string | undefined {
  const [name] = words;
  return name === null || name === undefined ? undefined : name.slice(name.lastIndexOf('/') + 1);
}

/** Checks whether a function starts itself in a pipe or in the background: it then multiplies without end. */
function isBomb({ name, body }: Node): boolean {
  for (const node of nodesIn(body)) {
    const isParallel =
      (node.type === 'Pipeline' && listOf(node.commands).length > 1) ||
      (node.type === 'Statement' && node.background === true);
    if (!isParallel) continue;
    for (const inner of nodesIn(node)) if (inner.type === 'SimpleCommand' && textOf(inner.name) === name) return true;
  }
  return false;
}

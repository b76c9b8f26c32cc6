import { parse } from 'just-bash';

/** A simple command of a script, with what is known of it before it runs. */
export interface ScriptCommand {
  /** The words, first the program's name; null for a word that is only known when it runs. */
  words: readonly (string | null)[];
  /** Whether it sets variables for the program, or changes any. */
  assigns: boolean;
  /** Files that it writes to by redirection; null for one that is only known when it runs. */
  writesTo: readonly (string | null)[];
}

/** What a script consists of. */
export interface ScriptOutline {
  /** All commands, those in substitutions, functions and nested scripts included, in the order written. */
  commands: readonly ScriptCommand[];
  /** Functions that start themselves again in the background or in a pipe. */
  bombs: readonly string[];
}

/** How deep scripts within scripts, such as `bash -c "…"`, are looked into. */
const DEPTH_MAX = 5;

/** Outlines a bash script without running it; undefined if it cannot be parsed. */
export function outlineScript(script: string, depth = 0): ScriptOutline | undefined {
  let ast: unknown;
  try {
    ast = parse(script);
  } catch {
    return undefined;
  }
  const commands: ScriptCommand[] = [];
  const bombs: string[] = [];
  for (const node of nodesIn(ast)) {
    if (node.type === 'FunctionDef' && isBomb(node)) bombs.push(String(node.name));
    if (node.type !== 'SimpleCommand') continue;
    const command = toCommand(node);
    commands.push(command);
    for (let inner = innerOf(command.words); inner !== undefined; inner = innerOf(inner))
      commands.push({ ...command, words: inner });
    const nested = nestedScript(command.words);
    const outline = nested === undefined || depth === DEPTH_MAX ? undefined : outlineScript(nested, depth + 1);
    if (outline === undefined) continue;
    commands.push(...outline.commands);
    bombs.push(...outline.bombs);
  }
  return { commands, bombs };
}

type Node = Readonly<Record<string, unknown>>;

/** All objects of a syntax tree, outermost first. */
function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const inner of Object.values(value)) yield* nodesIn(inner);
}

function toCommand(node: Node): ScriptCommand {
  const words = [node.name, ...listOf(node.args)].filter((word) => word !== null && word !== undefined);
  const redirections = listOf(node.redirections).filter((one): one is Node => typeof one === 'object' && one !== null);
  return {
    words: words.map(textOf),
    assigns: listOf(node.assignments).length > 0,
    writesTo: redirections.filter(({ operator }) => isOutput(operator)).map(({ target }) => textOf(target)),
  };
}

const isOutput = (operator: unknown): boolean => ['>', '>>', '>|', '&>', '&>>', '<>'].includes(String(operator));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The text of a word; null if it depends on variables, files or other commands. `~` stays. */
function textOf(word: unknown): string | null {
  let text = '';
  for (const part of listOf((word as Node | null)?.parts)) {
    const { type, value, pattern, parts, user } = part as Node;
    if (type === 'Literal' || type === 'SingleQuoted' || type === 'Escaped') text += String(value);
    else if (type === 'Glob') text += String(pattern);
    else if (type === 'TildeExpansion') text += `~${user ?? ''}`;
    else if (type === 'DoubleQuoted') {
      const inner = textOf({ parts });
      if (inner === null) return null;
      text += inner;
    } else return null;
  }
  return text;
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
function innerOf(words: ScriptCommand['words']): ScriptCommand['words'] | undefined {
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

/** The script in the arguments of a shell or of `eval`; undefined if there is none, or if it is only known later. */
function nestedScript(words: ScriptCommand['words']): string | undefined {
  const name = programOf(words);
  if (name === 'eval') return words.slice(1).every((word) => word !== null) ? words.slice(1).join(' ') : undefined;
  if (name === undefined || !['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash'].includes(name)) return undefined;
  const at = words.findIndex((word) => word !== null && /^-[a-z]*c$/.test(word));
  return at === -1 ? undefined : (words[at + 1] ?? undefined);
}

/** The name of the program that a command starts, without its folder; undefined if it is only known later. */
export function programOf(words: ScriptCommand['words']): string | undefined {
  const [name] = words;
  return name === null || name === undefined ? undefined : name.slice(name.lastIndexOf('/') + 1);
}

/** A function that starts itself in a pipe or in the background multiplies without end. */
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

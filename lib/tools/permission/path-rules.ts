import picomatch from 'picomatch';
import { messageOf } from '#lib/base/message-of.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystemReader } from '#lib/vfs/file-system.ts';
import type { PathGuard } from '#lib/vfs/guarded-file-system.ts';
import { basename, dirname, isWithin, MAX_NAME_BYTES, resolvePath } from '#lib/vfs/paths.ts';
import type { Tool } from '../core/tool.ts';
import { parseToolInput } from '../schema/parse-input.ts';
import type {
  PathAccess,
  PathEffect,
  PathPolicy,
  PathRule,
  PathVerdict,
  ProtectedPaths,
  RuledPath,
} from './path-rule.ts';

/**
 * The reason why the pattern of a rule about paths cannot be used. `empty` and `control-character`: as their names say.
 * `negated`: it begins with `!`. `repetition`: matching it could take very long. `syntax`: `detail` says what is
 * wrong, in the glob library's words.
 */
export type PatternProblem =
  | { type: 'empty' | 'negated' | 'control-character' | 'repetition' }
  | { type: 'syntax'; detail: string };

/**
 * The reason why a rule about paths has no effect. `no-effects`: it names no kind of access. `impossible`: no path of a
 * workspace can match its pattern, which has an empty segment or `..`, for example. `covered`: the rule `by` says the same, or
 * something stricter, about everything that it could match.
 */
export type IdleReason =
  | { type: 'no-effects' }
  | { type: 'impossible'; because: 'empty-segment' | 'dots' | 'trailing-slash' | 'long-name' }
  | { type: 'covered'; by: PathRule };

/** A rule whose pattern can be matched against paths. */
interface CompiledRule {
  rule: PathRule;
  /** Checks whether a real path, or a folder that it is in, matches. */
  covers(path: string): boolean;
}

const STRICTNESS: Readonly<Record<PathPolicy, number>> = { deny: 2, ask: 1, allow: 0 };

/** Finds the problem with the pattern of a rule about paths; undefined if it can be used. */
export function patternProblem(pattern: string): PatternProblem | undefined {
  if (pattern.trim() === '') return { type: 'empty' };
  if (pattern.startsWith('!') && !pattern.startsWith('!(')) return { type: 'negated' };
  if (/\p{Cc}/u.test(pattern)) return { type: 'control-character' };
  if (hasAmbiguousRepetition(pattern)) return { type: 'repetition' };
  try {
    matcherOf(pattern, { nocase: false });
    return undefined;
  } catch (error) {
    return { type: 'syntax', detail: messageOf(error) };
  }
}

/**
 * Compiles a rule. A pattern without a slash is matched against every name on the path, any other against the path from the
 * root, as in `.gitignore`. What matches covers everything below it. Names that begin with a dot match like any other, and
 * Unicode forms do not matter. Rules with `deny` or `ask` ignore case, as the disk of a synced folder may; rules with `allow`
 * do not. Throws `SyntaxError` for a pattern that `patternProblem` refuses.
 */
function compileRule(rule: PathRule): CompiledRule {
  const isAnyName = !rule.pattern.includes('/');
  const matches = matcherOf(rule.pattern, { nocase: rule.policy !== 'allow' });
  const isAll = ALL.test(rule.pattern);
  /** The known results by folder: true if the folder, or one above it, matches. */
  const folders = new Map<string, boolean>([['/', isAll]]);
  const isCovered = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const covered = covers(folder);
    folders.set(folder, covered);
    return covered;
  };
  const covers = (path: string): boolean => {
    if (path === '/') return isAll;
    const form = path.normalize('NFC');
    return matches(isAnyName ? basename(form) : form.slice(1)) || isCovered(dirname(path));
  };
  return { rule, covers };
}

/** Patterns that match all paths, the root included. */
const ALL = /^\/?\*\*(?:\/\*\*)*$/;

/** The end of a pattern such as `src/**`, which is about the folder with everything in it. */
const CONTENTS = /(?<=[^/*])(?:\/\*\*)+$/;

function matcherOf(pattern: string, { nocase }: { nocase: boolean }): (path: string) => boolean {
  const glob = pattern.normalize('NFC').replace(CONTENTS, '').replace(/^\//, '');
  if (glob === '') return () => false;
  // A name may contain line breaks and, on every system, backslashes.
  const options = { dot: true, nonegate: true, strictBrackets: true, windows: false };
  return picomatch(glob, { ...options, flags: nocase ? 'is' : 's' });
}

/** The parts of a pattern that matter for repetition. An escaped character or a set of characters is one part. */
const PARTS = /\\.|\[(?:\\.|[^\]\\])+\]|[*+]\(|\)\+(?!\()|./gsu;

/**
 * Checks whether a repeated group can match the same text in several ways, so that too many of them would be tried for
 * a name that does not match: the group contains another repetition, or alternatives that begin alike.
 */
function hasAmbiguousRepetition(pattern: string): boolean {
  interface Group {
    isRepeated: boolean;
    /** Whether the group contains anything of variable length. */
    varies: boolean;
    /** The beginnings of the group's alternatives. */
    beginnings: string[];
  }
  const groups: Group[] = [];
  let isBeginning = false;
  for (const [part] of pattern.normalize('NFC').matchAll(PARTS)) {
    const group = groups.at(-1);
    if (group !== undefined && isBeginning) group.beginnings.push(part.replace(/^\\/, '').toLowerCase());
    isBeginning = part.endsWith('(') || part === '|';
    if (isBeginning && part !== '|') {
      if (group !== undefined) group.varies = true;
      groups.push({ isRepeated: part !== '(', varies: false, beginnings: [] });
    } else if (group !== undefined && part.startsWith(')')) {
      groups.pop();
      const { isRepeated, varies, beginnings } = group;
      const isVague = beginnings.length > 1 && beginnings.some((beginning) => VAGUE.test(beginning));
      const overlaps = isVague || new Set(beginnings).size < beginnings.length;
      if ((isRepeated || part === ')+') && (varies || overlaps)) return true;
    } else if (group !== undefined && /^[*+{]$/.test(part)) group.varies = true;
  }
  return false;
}

/** The beginning of an alternative that may begin with various characters, or is empty. */
const VAGUE = /^(?:[?|]|\)\+?|\[.+)$/su;

/**
 * The user's rules about paths, compiled so that the rule about a path can be found. A rule whose pattern cannot be used
 * matches nothing; the settings show the problem.
 */
export class PathRules {
  readonly #rules: readonly CompiledRule[];

  constructor(rules: readonly PathRule[]) {
    this.#rules = rules.filter(({ pattern }) => patternProblem(pattern) === undefined).map(compileRule);
  }

  /** The strictest rule about this access to a real path (one without symlinks); undefined if no rule matches. */
  ruleFor(path: string, effect: PathEffect): PathRule | undefined {
    let strictest: PathRule | undefined;
    for (const { rule, covers } of this.#rules) {
      if (strictest !== undefined && STRICTNESS[rule.policy] <= STRICTNESS[strictest.policy]) continue;
      if (rule.effects.includes(effect) && covers(path)) strictest = rule;
    }
    return strictest;
  }
}

const compiled = new WeakMap<readonly PathRule[], PathRules>();

/** The rules, compiled once for each list. */
function pathRulesOf(rules: readonly PathRule[]): PathRules {
  const known = compiled.get(rules) ?? new PathRules(rules);
  compiled.set(rules, known);
  return known;
}

/** Checks whether any of the rules denies access to paths, or asks about it. */
export const protectsPaths = (rules: readonly PathRule[]): boolean =>
  rules.some(({ policy, effects }) => policy !== 'allow' && effects.length > 0);

const DENIED = 'one of the user’s rules protects this path';
const asked = (effect: PathEffect): string =>
  `the user wants to be asked before this path is ${effect === 'read' ? 'read' : 'changed'}, and only file tools can ask`;

/**
 * Makes the guard that refuses a call access to files: where the user's rules deny it, or ask about it and the user has not
 * approved it.
 */
export function guardOf({ rules, approved }: ProtectedPaths): PathGuard {
  const ruled = pathRulesOf(rules);
  return {
    refusal(path, effect) {
      const policy = ruled.ruleFor(path, effect)?.policy;
      if (policy === 'deny') return DENIED;
      if (policy !== 'ask') return undefined;
      const isApproved = approved.some((allowed) => allowed.effect === effect && isWithin(path, allowed.path));
      return isApproved ? undefined : asked(effect);
    },
  };
}

/** The part of a tool that tells which paths its calls name. */
type JudgedTool = Parameters<typeof parseToolInput>[0] & Pick<Tool, 'touches'>;

/**
 * Applies the user's rules to a call: deny before ask before allow. Returns `allow` if rules allow all that the call does with
 * its paths; undefined if they neither deny, ask, nor allow all of it, or if the call names no paths. Never throws: a call
 * whose paths lead nowhere fails later.
 */
export function judgeCall(
  tool: JudgedTool,
  input: unknown,
  files: Pick<FileSystemReader, 'realPath' | 'pathsBelow'>,
  rules: readonly PathRule[],
): PathVerdict | undefined {
  if (rules.length === 0) return undefined;
  const ruled = pathRulesOf(rules);
  const accesses = accessesOf(tool, input);
  const found: Record<PathPolicy, RuledPath[]> = { deny: [], ask: [], allow: [] };
  const policiesOfNamed: (PathPolicy | undefined)[] = [];
  for (const access of accesses) {
    const places = placesOf(access, files);
    for (const effect of access.effects) {
      for (const path of places) {
        const rule = ruled.ruleFor(path, effect);
        if (rule === undefined) continue;
        const known = found[rule.policy];
        const last = known.at(-1);
        // Paths below a named one are not named again: their names may be protected, too.
        const isKnown = last !== undefined && last.effect === effect && isWithin(path, last.path);
        if (!isKnown) known.push({ path, effect, pattern: rule.pattern });
      }
      const [named] = places;
      // Paths below an allowed path are allowed, too, so only the path itself must be.
      policiesOfNamed.push(named === undefined ? undefined : ruled.ruleFor(named, effect)?.policy);
    }
  }
  for (const type of ['deny', 'ask'] as const) if (found[type].length > 0) return { type, found: found[type] };
  const isAllowed = policiesOfNamed.length > 0 && policiesOfNamed.every((policy) => policy === 'allow');
  return isAllowed ? { type: 'allow' } : undefined;
}

/** Returns the paths that a call names, with what it does with them; an empty list if its arguments do not fit its tool. */
export function accessesOf(tool: JudgedTool, input: unknown): readonly PathAccess[] {
  const parsed = tool.touches === undefined ? undefined : parseToolInput(tool, input);
  return parsed?.success ? (tool.touches?.(parsed.data) ?? []) : [];
}

/** The real paths that an access is about, first the one that it names; none if that cannot be resolved. */
function placesOf(
  { path, isDeep, contentsOf }: PathAccess,
  files: Pick<FileSystemReader, 'realPath' | 'pathsBelow'>,
): string[] {
  try {
    const place = files.realPath(resolvePath(path), { followLast: isDeep !== true });
    const below = isDeep === true ? [...files.pathsBelow(place)] : [];
    if (contentsOf === undefined) return [place, ...below];
    const source = files.realPath(resolvePath(contentsOf), { followLast: false });
    return [place, ...below, ...[...files.pathsBelow(source)].map((inside) => place + inside.slice(source.length))];
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}

/** Returns the reason why the rule at `index` has no effect; undefined if it has one, or if its pattern cannot be used. */
export function idleReason(rules: readonly PathRule[], index: number): IdleReason | undefined {
  const rule = rules[index];
  if (rule === undefined || patternProblem(rule.pattern) !== undefined) return undefined;
  if (rule.effects.length === 0) return { type: 'no-effects' };
  const because = impossibility(rule.pattern);
  if (because !== undefined) return { type: 'impossible', because };
  const covering = rule.effects.map((effect) =>
    rules.find(
      (other, place) => place !== index && other.effects.includes(effect) && replaces(other, rule, place < index),
    ),
  );
  const [by] = covering;
  return by !== undefined && covering.every((other) => other !== undefined) ? { type: 'covered', by } : undefined;
}

function impossibility(pattern: string): Extract<IdleReason, { type: 'impossible' }>['because'] | undefined {
  const path = pattern.replace(/^\//, '');
  if (path.includes('//') || path.startsWith('/')) return 'empty-segment';
  if (path === '' || path.endsWith('/')) return 'trailing-slash';
  const segments = path.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'dots';
  const isLong = (name: string) => !SPECIAL.test(name) && new TextEncoder().encode(name).byteLength > MAX_NAME_BYTES;
  return segments.some(isLong) ? 'long-name' : undefined;
}

/** The characters that mean something in a glob. */
const SPECIAL = /[*?[\]{}()\\!+@|]/;

/**
 * Checks whether `one` makes `other` superfluous. Of two equal rules, only the later one is superfluous. `isBefore`: `one`
 * comes first.
 */
function replaces(one: PathRule, other: PathRule, isBefore: boolean): boolean {
  if (patternProblem(one.pattern) !== undefined || impossibility(one.pattern) !== undefined) return false;
  const difference = STRICTNESS[one.policy] - STRICTNESS[other.policy];
  if (difference < 0 || !includes(one, other)) return false;
  return difference > 0 || isBefore || !includes(other, one);
}

/** Checks whether `one` certainly matches everything that `other` matches; false if that is not certain. */
function includes(one: PathRule, other: PathRule): boolean {
  const [pattern, others] = [formOf(one.pattern), formOf(other.pattern)];
  if (pattern === others || EVERYTHING.test(pattern)) return true;
  // Without wildcards, the other pattern is a path, or a name that may be anywhere.
  if (SPECIAL.test(others)) return false;
  if (others.startsWith('/')) return compileRule(one).covers(others);
  return (!pattern.includes('/') || pattern.startsWith('/**/')) && compileRule(one).covers(`/${others}`);
}

/** A pattern in a form in which patterns can be compared: it begins with `/` unless it has no slash. */
const formOf = (pattern: string): string =>
  pattern.includes('/')
    ? `/${pattern.normalize('NFC').replace(CONTENTS, '').replace(/^\//, '')}`
    : pattern.normalize('NFC');

/** Patterns that match every name. */
const EVERYTHING = /^\/?(?:\*\*\/)*\*{1,2}$/;

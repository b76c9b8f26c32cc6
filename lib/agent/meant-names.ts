import { ToolNames } from '#lib/prompts/tool-names.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** The length, in characters, above which a name is not looked up: no tool's name is longer. */
const NAME_MAX = 256;

/** Matches a word that gpt-oss writes directly behind a name: the kind of what follows, or the channel. */
const GLUED = /(?:json|commentary)$/;

/**
 * Returns a function that corrects the tool's name in a native call. If no tool has the written name, but exactly one has it
 * apart from case, signs between words, a prefix, or a template's tokens around it, the function returns that tool's name;
 * otherwise, it returns the name as written.
 */
export function meantNames(tools: readonly ToolSpec[]): (written: string) => string {
  const names = new Set(tools.map(({ name }) => name));
  let written: ToolNames | undefined;
  /** The tools' names by folded names; undefined if several tools share a folded name. */
  let folded: Map<string, string | undefined> | undefined;
  return (name) => {
    if (names.has(name) || name.length > NAME_MAX) return name;
    written ??= new ToolNames(tools);
    folded ??= foldedNames(names);
    const plain = withoutTokens(name);
    const found = written.find(plain)?.name;
    if (found !== undefined) return found;
    const words = foldedName(written.nameOf(plain));
    if (folded.has(words)) return folded.get(words) ?? name;
    const unglued = plain.replace(GLUED, '');
    return names.has(unglued) ? unglued : name;
  };
}

function foldedNames(names: Iterable<string>): Map<string, string | undefined> {
  const folded = new Map<string, string | undefined>();
  for (const name of names) folded.set(foldedName(name), folded.has(foldedName(name)) ? undefined : name);
  return folded;
}

/** A name without the signs between its words, and without capitals. */
const foldedName = (name: string): string => name.replace(/[_\s-]/g, '').toLowerCase();

/**
 * A name without what belongs to the template of a model: `read_file<|channel|>commentary`, `functions.read_file:0`,
 * `<tool_call>read_file`, `read_file</arg_value>`. Arguments stay, so that none are lost.
 */
const withoutTokens = (name: string): string =>
  (/<\|[^|>]*\|>.*\bto=(\S+)$/.exec(name)?.[1] ?? name)
    .replace(/^\s*(?:<\|[^|>]*\|>|<\w+>)+/, '')
    .replace(/\s*<(?:[|｜]|\/)[\s\S]*$/, '')
    .replace(/\(\s*\)$/, '')
    .replace(/:\d+$/, '')
    .replace(/^(functions|tools?)\//, '$1.');

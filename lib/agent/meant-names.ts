import { ToolNames } from '#lib/prompts/tool-names.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';

/** No name of a tool is longer, in characters. */
const NAME_MAX = 256;

/**
 * Returns what finds the tool on offer that a native call means: also by its name in another case, with a prefix, or with
 * a token of a template behind it, if only one fits. Other names stay as they are.
 */
export function meantNames(tools: readonly ToolSpec[]): (written: string) => string {
  const names = new Set(tools.map(({ name }) => name));
  let written: ToolNames | undefined;
  return (name) => {
    if (names.has(name) || name.length > NAME_MAX) return name;
    written ??= new ToolNames(tools);
    return written.find(withoutTokens(name))?.name ?? name;
  };
}

/** A name without what belongs to the template of a model: `read_file<|channel|>commentary`, `functions.read_file:0`. */
const withoutTokens = (name: string): string =>
  name
    .replace(/^\s*(?:<\|[^|>]*\|>)+/, '')
    .replace(/\s*<[|｜][\s\S]*$/, '')
    .replace(/:\d+$/, '');

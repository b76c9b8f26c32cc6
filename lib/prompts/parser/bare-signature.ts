import type { ToolNames } from '../tool-names.ts';

/** Matches a last line that consists of nothing but a call, in the shape of the studio's signatures or as code. */
const SIGNATURE = /(?:^|\n)[ \t]*([\w.]+)\((?:[ \t]*[{"'][^\n]*)?\)[ \t]*;?\s*$/;

/**
 * Returns the name of the tool if the text ends in a call of it that is written as code; otherwise undefined. Such a call is
 * text, because any line of a program looks like it, but if a reply has no calls, the parser reports it as unreadable.
 */
export function signatureAtEnd(text: string, tools: ToolNames): string | undefined {
  const name = SIGNATURE.exec(text)?.[1];
  return name === undefined ? undefined : tools.find(name)?.name;
}

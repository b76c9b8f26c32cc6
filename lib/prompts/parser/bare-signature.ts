import type { ToolNames } from '../tool-names.ts';

/** Matches a last line that consists of nothing but a call, in the shape of the studio's signatures or as code. */
const SIGNATURE = /(?:^|\n)[ \t]*([\w.]+)\((?:[ \t]*[{"'][^\n]*)?\)[ \t]*;?\s*$/;

/**
 * Returns the name of a tool if the last line of a text is nothing but a call of it, written as code, such as `list_files()`;
 * undefined otherwise. Such a call is text, because any line of a program looks like it, but if a reply has no calls, the
 * parser reports it as unreadable.
 */
export function signatureAtEnd(text: string, tools: ToolNames): string | undefined {
  const name = SIGNATURE.exec(text)?.[1];
  return name === undefined ? undefined : tools.find(name)?.name;
}

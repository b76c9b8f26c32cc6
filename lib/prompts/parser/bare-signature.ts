import type { ToolNames } from '../tool-names.ts';

/** A line that consists of nothing but a call, in the shape of the studio's signatures or as code. */
const SIGNATURE = /(?:^|\n)[ \t]*([\w.]+)\((?:[ \t]*[{"'][^\n]*)?\)[ \t]*;?\s*$/;

/**
 * The name of the tool whose call the text ends in, written as code; undefined if it ends in anything else. Such a call is
 * text, because any line of a program looks like it, but it is reported.
 */
export function signatureAtEnd(text: string, tools: ToolNames): string | undefined {
  const name = SIGNATURE.exec(text)?.[1];
  return name === undefined ? undefined : tools.find(name)?.name;
}

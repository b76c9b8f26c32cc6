import type { AllMessages } from '#components/i18n/catalog.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { touchedFiles } from '#lib/tools/touched-files.ts';

/**
 * Returns the sentence that tells the person what a call would do, where they are asked whether it may run, such as “The model
 * wants to read /a.txt.” `input`: the call's arguments by name.
 */
export function askedSentence(tool: Tool, input: ReadonlyMap<string, unknown>, t: AllMessages): string {
  const { verb, names } = tool.presentation;
  if (verb === 'call') return t.tools.asks.call(tool.name);
  const given = Object.fromEntries(input);
  const parsed = tool.parse(given);
  const known = new Map<string, unknown>(parsed.success ? Object.entries(parsed.data ?? {}) : input);
  const values = names?.map((name) => known.get(name)) ?? touchedFiles(tool, given);
  const shown = verb === 'fetch' ? values.map(asAscii) : values;
  return t.tools.asks[verb](...shown.map((value) => visibleText(value === undefined ? '' : String(value))));
}

/** An address in the form in which it is sent, so that a host with look-alike letters is shown in ASCII. */
const asAscii = (value: unknown): unknown =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).href : value;

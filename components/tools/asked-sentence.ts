import type { AllMessages } from '#components/i18n/catalog.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { touchedFiles } from '#lib/tools/touched-files.ts';

/** Says what a call is about to do, as its tool presents it. */
export function askedSentence(tool: Tool, input: ReadonlyMap<string, unknown>, t: AllMessages): string {
  const { verb, names } = tool.presentation;
  if (verb === 'call') return t.tools.asks.call(tool.name);
  const given = Object.fromEntries(input);
  const parsed = tool.parse(given);
  const known = new Map<string, unknown>(parsed.success ? Object.entries(parsed.data ?? {}) : input);
  const values = names?.map((name) => known.get(name)) ?? touchedFiles(tool, given);
  return t.tools.asks[verb](...values.map((value) => visibleText(value === undefined ? '' : String(value))));
}

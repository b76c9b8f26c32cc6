import type { Messages } from '#components/i18n/en.ts';
import { visibleText } from '#components/ui/visible-text.ts';
import type { AnyToolDefinition } from '#lib/tools/core/registry.ts';

/** Says what a call is about to do, as defined by its tool. */
export function askedSentence(tool: AnyToolDefinition, input: ReadonlyMap<string, unknown>, t: Messages): string {
  if (tool.question === undefined) return t.tools.asks.call(tool.name);
  const { verb, names } = tool.question;
  const parsed = tool.inputSchema.safeParse(Object.fromEntries(input));
  const known = new Map<string, unknown>(parsed.success ? Object.entries(parsed.data) : input);
  const values =
    names?.map((name) => known.get(name)) ?? (parsed.success ? tool.touchedPaths?.(parsed.data) : []) ?? [];
  return t.tools.asks[verb](...values.map((value) => visibleText(value === undefined ? '' : String(value))));
}

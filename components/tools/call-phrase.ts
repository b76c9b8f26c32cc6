import type { AllMessages } from '#components/i18n/catalog.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { CallState } from './call-state.ts';

/**
 * The words for what a call does, is doing, or has done, after which its target is shown. The tool's name if the tool is
 * unknown or has no verb. `changed`: the number of lines that the call has removed from files; undefined if it has changed no
 * file. A call that writes is said to edit if it has removed any.
 */
export function callPhrase(
  tool: Pick<ToolSpec, 'presentation'> | undefined,
  toolName: string,
  state: CallState,
  { tools: { verbs } }: Pick<AllMessages, 'tools'>,
  changed?: { removed: number } | undefined,
): string {
  const own = tool?.presentation.verb ?? 'call';
  // A call that replaces lines of a file edits it, even if its tool is one that writes.
  const verb = own === 'write' && changed !== undefined && changed.removed > 0 ? 'edit' : own;
  if (verb === 'call') return toolName;
  const form = state === 'done' ? 'done' : state === 'writing' || state === 'running' ? 'doing' : 'do';
  return verbs[verb][form];
}

import type { AllMessages } from '#components/i18n/catalog.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { CallState } from './call-state.ts';

/**
 * Says what a call does, is doing, or has done; the target follows. Returns the tool's name if it has no verb.
 * `changed`: the lines that it has changed in files.
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

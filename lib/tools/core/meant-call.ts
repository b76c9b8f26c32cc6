import { isOwnToolset } from '../toolset-names.ts';
import { keywordsOf } from './json-schema.ts';
import type { ToolSpec } from './spec.ts';

/**
 * What a call means: itself, or the call that it names, if its tool does nothing but call tools from elsewhere by their
 * names. That call has the same id: whatever is decided, claimed, and run is that call.
 */
export function meantCall<Call extends { toolName: string; input?: unknown }>(
  call: Call,
  toolOf: (name: string) => ToolSpec | undefined,
): Call {
  if (toolOf(call.toolName)?.delegates !== true) return call;
  const { name, arguments: input = {} } = keywordsOf(call.input) ?? {};
  const named = typeof name === 'string' ? toolOf(name) : undefined;
  // The studio's own tools are listed, and called by themselves.
  if (named === undefined || isOwnToolset(named.toolset) || keywordsOf(input) === undefined) return call;
  return { ...call, toolName: named.name, input };
}

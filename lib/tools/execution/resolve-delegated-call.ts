import type { ToolSpec } from '../core/spec.ts';
import { keywordsOf } from '../schema/json-schema.ts';
import { isBuiltInToolset } from '../toolset-names.ts';

/**
 * Replaces a call of a tool that delegates, such as `use_tool`, with a call of the external tool that its arguments name. The
 * new call has the same id, and is the one that is decided about, claimed, and run. Returns any other call as it is.
 */
export function resolveDelegatedCall<Call extends { toolName: string; input?: unknown }>(
  call: Call,
  toolOf: (name: string) => ToolSpec | undefined,
): Call {
  if (toolOf(call.toolName)?.delegates !== true) return call;
  const { name, arguments: input = {} } = keywordsOf(call.input) ?? {};
  const named = typeof name === 'string' ? toolOf(name) : undefined;
  // The studio's own tools are listed, and called by themselves.
  if (named === undefined || isBuiltInToolset(named.toolset) || keywordsOf(input) === undefined) return call;
  return { ...call, toolName: named.name, input };
}

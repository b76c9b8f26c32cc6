import type { Reply } from '../reply.ts';
import type { Tag } from './tag.ts';

/** Names of tags that contain calls: such a tag alone shows that calls follow. */
export const CONTAINERS: ReadonlySet<string> = new Set([
  'tool_call',
  'tool_calls',
  'toolcall',
  'toolcalls',
  'function_call',
  'function_calls',
  'calls',
  'tools',
  'functioncall',
  'tool_use',
]);
/** Names of tags that begin a call and name its tool, as in `<invoke name="N">` or `<function=N>`. */
export const NAMED: ReadonlySet<string> = new Set([
  'tool',
  'tool_call',
  'function',
  'function_call',
  'invoke',
  'call',
  'tool_use',
]);
/** Names of tags around a call whose tool may be named by an element at the beginning, as in `<tool><name>N</name>`. */
export const NAMED_INSIDE: ReadonlySet<string> = new Set([...NAMED, 'use_tool', 'use_mcp_tool']);
/** Names of elements inside a call whose text is the tool's name. */
export const NAME_TAGS: ReadonlySet<string> = new Set(['tool_name', 'function_name', 'name']);
/**
 * Names of elements that only group arguments, unless the tool has an argument of that name. Roo Code writes a `file` for
 * each file.
 */
export const GROUPS: ReadonlySet<string> = new Set(['args', 'arguments', 'parameters', 'params', 'input', 'file']);
/** Names of elements that contain one argument and name it, as in `<parameter=K>` or `<parameter name="K">`. */
export const PARAMETER_TAGS: ReadonlySet<string> = new Set(['parameter', 'param', 'arg', 'argument']);

/** Checks whether a closing tag can belong to a call or its container. */
export const closesCalls = (reply: Reply, { name }: Tag): boolean =>
  CONTAINERS.has(name) ||
  NAMED.has(name) ||
  PARAMETER_TAGS.has(name) ||
  ['arg_key', 'arg_value', 'args', 'arguments', 'name', 'use_tool', 'use_mcp_tool'].includes(name) ||
  reply.tools.find(name) !== undefined;

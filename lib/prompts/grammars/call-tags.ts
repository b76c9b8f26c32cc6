import type { Reply } from '../reply.ts';
import type { Tag } from './tag.ts';

/** Tags that contain calls and announce them by their name alone. */
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
/** Tags that name a call's tool in an attribute. */
export const NAMED: ReadonlySet<string> = new Set([
  'tool',
  'tool_call',
  'function',
  'function_call',
  'invoke',
  'call',
  'tool_use',
]);
/** Tags around a call whose tool is named by an inner element, the first one. */
export const NAMED_INSIDE: ReadonlySet<string> = new Set([...NAMED, 'use_tool', 'use_mcp_tool']);
/** Elements that name a call's tool. */
export const NAME_TAGS: ReadonlySet<string> = new Set(['tool_name', 'function_name', 'name']);
/** Elements that only group arguments, unless the tool has an argument of that name. Roo Code writes a `file` for each file. */
export const GROUPS: ReadonlySet<string> = new Set(['args', 'arguments', 'parameters', 'params', 'input', 'file']);
/** Elements that contain one argument, whose name is their value or an attribute. */
export const PARAMETER_TAGS: ReadonlySet<string> = new Set(['parameter', 'param', 'arg', 'argument']);

/** Checks whether a closing tag can belong to a call or its container. */
export const closesCalls = (reply: Reply, { name }: Tag): boolean =>
  CONTAINERS.has(name) ||
  NAMED.has(name) ||
  PARAMETER_TAGS.has(name) ||
  ['arg_key', 'arg_value', 'args', 'arguments', 'name', 'use_tool', 'use_mcp_tool'].includes(name) ||
  reply.tools.find(name) !== undefined;

type KeyKind = 'envelope' | 'function' | 'name' | 'arguments' | 'other';

/**
 * The roles of the keys of JSON objects in which models write calls, in all variants. `envelope`: contains calls. `function`:
 * contains a call, or is its name. `name`, `arguments`: those of the call. `other`: may stand in such an
 * object, but says nothing about the call.
 */
export const KEYS = new Map<string, KeyKind>([
  ['tool_calls', 'envelope'],
  ['tool_call', 'envelope'],
  ['function_call', 'envelope'],
  ['function_calls', 'envelope'],
  ['function', 'function'],
  ['name', 'name'],
  ['tool', 'name'],
  ['tool_name', 'name'],
  ['function_name', 'name'],
  ['action', 'name'],
  ['arguments', 'arguments'],
  ['parameters', 'arguments'],
  ['args', 'arguments'],
  ['params', 'arguments'],
  ['input', 'arguments'],
  ['tool_input', 'arguments'],
  ['action_input', 'arguments'],
  ['id', 'other'],
  ['tool_call_id', 'other'],
  ['call_id', 'other'],
  ['type', 'other'],
  ['index', 'other'],
  ['role', 'other'],
  ['content', 'other'],
  ['thought', 'other'],
]);

/** All beginnings of the keys in `KEYS`, and the whole keys: a key that has arrived only in part must be one of these. */
export const KEY_BEGINNINGS = new Set(
  [...KEYS.keys()].flatMap((key) => Array.from(key, (_, index) => key.slice(0, index + 1))),
);

/**
 * Checks whether a key, or the beginning of one, is certain to belong to a call or an envelope of calls, such as `tool_calls`.
 */
export const isTelling = (key: string): boolean => key.startsWith('tool_c') || key.startsWith('function_c');

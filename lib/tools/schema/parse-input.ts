import type { ParsedInput, Tool } from '../core/tool.ts';

/**
 * Parses a call's arguments. If they are not valid, tries again without those that are null, because many models send null for
 * arguments that they omit.
 */
export function parseToolInput(tool: Pick<Tool, 'parse'>, input: unknown): ParsedInput {
  const given = tool.parse(input);
  return given.success ? given : tool.parse(withoutNulls(input));
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

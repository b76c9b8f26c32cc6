import type * as z from 'zod';
import type { AnyToolDefinition } from './registry.ts';

/** A call's arguments as its tool gets them. Many models send null for arguments that they omit, which is tolerated. */
export function parseToolInput(tool: AnyToolDefinition, input: unknown): z.ZodSafeParseResult<unknown> {
  const given = tool.inputSchema.safeParse(input);
  return given.success ? given : tool.inputSchema.safeParse(withoutNulls(input));
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

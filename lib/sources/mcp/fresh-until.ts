import { MCP_LIMITS } from './limits.ts';

/**
 * Returns the time until which a list that is read now counts as current, in milliseconds since the epoch; infinite if
 * `freshMs` is undefined, because the server reports changes. `freshMs`: the time for which the server says that the list is
 * current, in milliseconds; less than `MCP_LIMITS.freshMs` counts as that much.
 */
export const freshUntil = (freshMs: number | undefined): number =>
  freshMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + Math.max(freshMs, MCP_LIMITS.freshMs);

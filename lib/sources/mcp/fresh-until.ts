import { MCP_LIMITS } from './limits.ts';

/**
 * Returns the time until which a list that is read now counts as current, in milliseconds since the epoch. `freshMs`: the time
 * for which the server says that the list is current, in milliseconds; less than `MCP_LIMITS.freshMs` counts as that much.
 * Undefined if the server reports changes; then the result is infinite.
 */
export const freshUntil = (freshMs: number | undefined): number =>
  freshMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + Math.max(freshMs, MCP_LIMITS.freshMs);

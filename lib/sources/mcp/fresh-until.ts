import { MCP_LIMITS } from './limits.ts';

/**
 * Returns the time until which a list that is read now counts as current, in milliseconds since the epoch. `freshMs`: for how
 * long the server says so, in milliseconds; undefined if it reports changes, so that the list has no end.
 */
export const freshUntil = (freshMs: number | undefined): number =>
  freshMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + Math.max(freshMs, MCP_LIMITS.freshMs);

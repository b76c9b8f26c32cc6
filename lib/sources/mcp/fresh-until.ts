import { MCP_LIMITS } from './limits.ts';

/**
 * Until when a list that was read now counts as its server's newest, in milliseconds since the epoch. `freshMs`: the time
 * that the server gives it; undefined if it tells of changes.
 */
export const freshUntil = (freshMs: number | undefined): number =>
  freshMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + Math.max(freshMs, MCP_LIMITS.freshMs);

import type { Tool } from './tool.ts';

/**
 * Checks whether a tool's changes to files can be known before it makes them, because it writes and needs nothing but files.
 */
export const canPropose = ({ effect, needs }: Pick<Tool, 'effect' | 'needs'>): boolean =>
  effect === 'write' && needs.every((need) => need === 'files');

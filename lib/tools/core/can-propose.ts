import type { Tool } from './tool.ts';

/** Whether what a tool does to files can be known before it is done. */
export const canPropose = ({ effect, needs }: Pick<Tool, 'effect' | 'needs'>): boolean =>
  effect === 'write' && needs.every((need) => need === 'files');

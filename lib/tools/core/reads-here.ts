import { isOwnToolset } from '../toolset-names.ts';
import type { ToolSpec } from './spec.ts';

/**
 * Whether a tool only reads, and only here, so that it can do no harm whoever has written its call. What reads elsewhere
 * tells others what it is asked.
 */
export const readsHere = ({ effect, toolset }: Pick<ToolSpec, 'effect' | 'toolset'>): boolean =>
  effect === 'read' && isOwnToolset(toolset);

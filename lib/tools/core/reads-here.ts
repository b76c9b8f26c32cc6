import { isBuiltInToolset } from '../toolset-names.ts';
import type { ToolSpec } from './spec.ts';

/**
 * Checks whether a tool only reads, and only here, so that a call can do no harm, no matter who wrote it. A tool that
 * reads elsewhere tells others what it is asked. A tool that is not known could do anything.
 */
export const readsHere = (tool: Pick<ToolSpec, 'effect' | 'toolset'> | undefined): boolean =>
  tool?.effect === 'read' && isBuiltInToolset(tool.toolset);

import { isBuiltInToolset } from '../toolset-names.ts';
import type { ToolSpec } from './spec.ts';

/**
 * Checks whether a tool is the studio's own and only reads, so that a call does no harm, even one that the model copied from
 * foreign text. False for external tools, whose sources see the arguments, and for `undefined`, a tool that does not exist.
 */
export const readsHere = (tool: Pick<ToolSpec, 'effect' | 'toolset'> | undefined): boolean =>
  tool?.effect === 'read' && isBuiltInToolset(tool.toolset);

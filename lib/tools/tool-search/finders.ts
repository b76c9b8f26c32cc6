import type { Tool } from '../core/tool.ts';
import { searchTools } from './search-tools.ts';
import { useTool } from './use-tool.ts';

/** The tools that find others, and call them. They are offered while there is something to be found. */
export const toolFinders: readonly Tool[] = [searchTools, useTool];

/** Names of the studio's own tools that are not always there. */
const RESERVED: ReadonlySet<string> = new Set([...toolFinders.map(({ name }) => name), 'read_skill']);

/** Checks whether a name belongs to one of the studio's own tools that may not be there at the moment. */
export const isReservedName = (toolName: string): boolean => RESERVED.has(toolName);

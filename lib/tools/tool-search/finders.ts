import type { Tool } from '../core/tool.ts';
import { searchTools } from './search-tools.ts';
import { useTool } from './use-tool.ts';

/** The tools that find external tools, and call them. They are offered while there are external tools. */
export const toolFinders: readonly Tool[] = [searchTools, useTool];

/** Names of the studio's own tools that are not always offered. */
const RESERVED: ReadonlySet<string> = new Set([...toolFinders.map(({ name }) => name), 'read_skill']);

/** Checks whether a name belongs to a tool of the studio that may not be offered at the moment. */
export const isReservedName = (toolName: string): boolean => RESERVED.has(toolName);

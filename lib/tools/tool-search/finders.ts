import type { Tool } from '../core/tool.ts';
import { searchTools } from './search-tools.ts';
import { useTool } from './use-tool.ts';

/**
 * The tools `search_tools` and `use_tool`, with which the model finds and calls external tools. They are offered while there
 * are external tools.
 */
export const toolFinders: readonly Tool[] = [searchTools, useTool];

/** Names of the studio's own tools that are not always offered. */
const RESERVED: ReadonlySet<string> = new Set([...toolFinders.map(({ name }) => name), 'read_skill']);

/**
 * Checks whether a name belongs to one of the studio's tools that are not always in the registry (`search_tools`, `use_tool`,
 * and `read_skill`), so that no external tool may have it.
 */
export const isReservedName = (toolName: string): boolean => RESERVED.has(toolName);

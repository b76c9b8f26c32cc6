import type { Catalogue } from '../core/catalogue.ts';
import { ToolIndex } from '../core/tool-index.ts';
import { fragments, toolRegistry } from '../toolsets.ts';

/** The studio's own tools, as a run offers them. */
export const builtInCatalogue: Catalogue = { tools: new ToolIndex(toolRegistry.list()), fragments };

import type { Catalogue } from '../catalogue/catalogue.ts';
import { ToolIndex } from '../catalogue/tool-index.ts';
import { fragments, toolRegistry } from '../toolsets.ts';

/** The studio's own tools, as a run offers them. */
export const builtInCatalogue: Catalogue = { tools: new ToolIndex(toolRegistry.list()), fragments };

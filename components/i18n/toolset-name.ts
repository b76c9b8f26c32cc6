import { sourceOf } from '#lib/tools/toolset-names.ts';
import type { Messages } from './catalog.ts';

/** What a toolset is called: in words if it is the studio's own, otherwise like its server or API. */
export const toolsetName = (toolset: string, t: Messages): string =>
  t.controls.toolsetNames[toolset] ?? sourceOf(toolset) ?? toolset;

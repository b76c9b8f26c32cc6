import { sourceOf } from '#lib/tools/toolset-names.ts';
import type { Messages } from './catalog.ts';

/** Returns the display name of a toolset: the studio's text for its own, otherwise the name of the server or API. */
export const toolsetName = (toolset: string, t: Messages): string =>
  t.controls.toolsetNames[toolset] ?? sourceOf(toolset)?.name ?? toolset;

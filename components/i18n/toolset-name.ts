import { grantedTool } from '#lib/threads/thread.ts';
import { sourceOf } from '#lib/tools/toolset-names.ts';
import type { Messages } from './catalog.ts';

/** What a toolset is called: in words if it is the studio's own, otherwise like its server or API. */
export const toolsetName = (toolset: string, t: Messages): string =>
  t.controls.toolsetNames[toolset] ?? sourceOf(toolset) ?? toolset;

/** A tool as it is named among a thread's grants, with where it comes from: `forecast (weather)`. */
export function grantedToolName(granted: string, t: Messages): string {
  const { toolset, name } = grantedTool(granted);
  return toolset === undefined ? name : `${name} (${toolsetName(toolset, t)})`;
}

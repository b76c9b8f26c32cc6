import type { Messages } from '#components/i18n/catalog.ts';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { grantedTool } from '#lib/threads/thread.ts';

/** A tool as it is named among a thread's grants, with where it comes from: `forecast (weather)`. */
export function grantedToolName(granted: string, t: Messages): string {
  const { toolset, name } = grantedTool(granted);
  return toolset === undefined ? name : `${name} (${toolsetName(toolset, t)})`;
}

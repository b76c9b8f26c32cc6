import type { Messages } from '#components/i18n/catalog.ts';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { grantedTool } from '#lib/threads/thread.ts';

/**
 * Returns a name for the tool of a grant, which lets the tool run in a thread without asking, with the source of an external
 * tool in parentheses: `forecast (weather)`.
 */
export function grantedToolName(granted: string, t: Messages): string {
  const { toolset, name } = grantedTool(granted);
  return toolset === undefined ? name : `${name} (${toolsetName(toolset, t)})`;
}

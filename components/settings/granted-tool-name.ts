import type { Messages } from '#components/i18n/catalog.ts';
import { toolsetName } from '#components/i18n/toolset-name.ts';
import { grantedTool } from '#lib/threads/thread.ts';

/** A tool of a thread's grants in words, with the source of an external tool in parentheses: `forecast (weather)`. */
export function grantedToolName(granted: string, t: Messages): string {
  const { toolset, name } = grantedTool(granted);
  return toolset === undefined ? name : `${name} (${toolsetName(toolset, t)})`;
}

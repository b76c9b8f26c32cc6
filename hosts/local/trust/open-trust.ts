import type { LocalFolder } from '../local-folder.ts';
import { isInFolder, ownPinsFile } from './own-places.ts';
import { type DescribedTools, PinnedTools, type PinnedToolsOptions } from './pinned-tools.ts';
import { ToolPins } from './tool-pins.ts';

/**
 * Opens the record of the external tools that the person has allowed, for the tools of the folder, of its HTTP APIs, and of
 * `servers`, the tool servers, if there are any.
 */
export function openTrust(
  folder: LocalFolder,
  servers: DescribedTools | undefined,
  { env, onNotice }: Pick<PinnedToolsOptions, 'onNotice'> & { env: Readonly<Record<string, string | undefined>> },
): PinnedTools {
  const { root } = folder.own;
  const place = ownPinsFile(env);
  return new PinnedTools({
    root,
    onNotice,
    sources: [folder.workspaceTools, folder.apis, servers].filter((source) => source !== undefined),
    // Tools could allow themselves.
    pins: isInFolder(root, place) ? undefined : new ToolPins(place),
  });
}

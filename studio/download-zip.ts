import type { FilePaneViews } from './file-pane.ts';
import { exportZip } from './import-files.ts';
import type { OpenedWorkspace } from './opened-workspace.ts';
import { download } from './page/download.ts';

/** Downloads a folder of a workspace as a zip file called `name`. Never rejects: the file pane shows problems. */
export async function downloadZip(
  { state }: FilePaneViews,
  workspace: OpenedWorkspace,
  directory: string,
  name: string,
): Promise<void> {
  try {
    const { zip, unportable } = await exportZip(workspace, directory);
    download(zip, name);
    if (unportable.length > 0) state.setState({ zipNotice: { type: 'unportable', paths: unportable } });
  } catch (error) {
    state.setState({ zipNotice: { type: 'failed', error } });
  }
}

import type { ThreadFiles } from '#lib/threads/thread-files.ts';
import type { Workspace } from '#lib/workspace/workspace.ts';

/** A workspace with what threads and views do with it. */
export interface OpenedWorkspace extends Workspace {
  id: string;
  files: ThreadFiles;
}

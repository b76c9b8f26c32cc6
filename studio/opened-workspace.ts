import type { ThreadFiles } from '#lib/threads/thread-files.ts';
import type { Workspace } from '#lib/workspace/workspace.ts';

/** A workspace with the operations that threads and views use. */
export interface OpenedWorkspace extends Workspace {
  id: string;
  files: ThreadFiles;
}

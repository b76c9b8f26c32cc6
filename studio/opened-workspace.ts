import type { ThreadFiles } from '#lib/threads/thread-files.ts';
import type { Workspace } from '#lib/workspace/workspace.ts';

/** A workspace with the operations that threads and views use. */
export interface OpenedWorkspace extends Workspace {
  id: string;
  /** The files as its threads work on them, and put them back into earlier states. */
  files: ThreadFiles;
}

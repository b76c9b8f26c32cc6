import type { Thread } from '#lib/threads/thread.ts';

/** Returns the ids of the workspaces that only the threads with these `ids` use, and no others of `threads`. */
export function workspacesOnlyOf(threads: readonly Thread[], ids: ReadonlySet<string>): string[] {
  const kept = new Set(threads.filter(({ id }) => !ids.has(id)).map(({ workspaceId }) => workspaceId));
  const own = threads.filter(({ id, workspaceId }) => ids.has(id) && !kept.has(workspaceId));
  return [...new Set(own.map(({ workspaceId }) => workspaceId))];
}

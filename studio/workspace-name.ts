import type { Thread } from '#lib/threads/thread.ts';
import type { WorkspaceInfo } from './workspaces.ts';

/** A workspace's name: the one that the user chose, or the title of its first thread. Undefined if it has neither. */
export function workspaceName(
  id: string,
  list: readonly WorkspaceInfo[],
  threads: readonly Thread[],
): string | undefined {
  const own = list.find((info) => info.id === id)?.name;
  if (own != null) return own;
  const [first] = threads.filter(({ workspaceId }) => workspaceId === id).sort((a, b) => a.createdAt - b.createdAt);
  return first?.title || undefined;
}

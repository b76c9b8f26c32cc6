import type { Messages } from '#components/i18n/en.ts';
import type { WorkspaceInfo } from '#components/runtime/workspaces.ts';
import type { Thread } from '#lib/threads/thread.ts';

/** A workspace's name: the one that the user chose, or the title of its first thread. */
export function workspaceName(
  id: string,
  list: readonly WorkspaceInfo[],
  threads: readonly Thread[],
  t: Messages,
): string {
  const own = list.find((info) => info.id === id)?.name;
  if (own != null) return own;
  const [first] = threads.filter(({ workspaceId }) => workspaceId === id).sort((a, b) => a.createdAt - b.createdAt);
  return first?.title || t.workspaces.unnamed;
}

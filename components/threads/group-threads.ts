import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadFolder } from '#studio/thread-folders.ts';

/** A group of the list of threads, under its own heading. */
export interface ThreadGroup {
  /** Unique among the groups. */
  key: string;
  type: 'pinned' | 'folder' | 'today' | 'yesterday' | 'earlier' | 'archived';
  /** Present for a folder. */
  folder?: ThreadFolder;
  /** In the order in which they were given. */
  threads: readonly Thread[];
}

/** A thread of a group that is shown. With a place if only a part of the list is in the document. */
export interface ShownThread {
  thread: Thread;
  place?: {
    /** In pixels, from the top of the list. */
    top: number;
    /** Its number in its group, counted from 1, and the size of the group. */
    position: number;
    size: number;
  };
}

/** The part of a group that is in the document. */
export interface ShownGroup {
  group: ThreadGroup;
  /** Undefined if the heading is not in the document; its top is as for threads. */
  heading: { top?: number } | undefined;
  threads: readonly ShownThread[];
}

interface GroupOptions {
  /** In milliseconds since the epoch. */
  now: number;
  /** The groups that are there even if nothing is in them. */
  showsEmpty: readonly ThreadGroup['type'][];
}

/** The groups in the order of the list: pinned threads, folders, days, and the archive. */
export function groupThreads(
  threads: readonly Thread[],
  folders: readonly ThreadFolder[],
  { now, showsEmpty }: GroupOptions,
): ThreadGroup[] {
  const pinned: ThreadGroup = { key: 'pinned', type: 'pinned', threads: [] };
  const ofFolders = new Map(
    folders.map((folder) => [folder.id, { key: `folder:${folder.id}`, type: 'folder' as const, folder, threads: [] }]),
  );
  const days = (['today', 'yesterday', 'earlier'] as const).map(
    (type): ThreadGroup => ({ key: type, type, threads: [] }),
  );
  const archived: ThreadGroup = { key: 'archived', type: 'archived', threads: [] };
  const groups: ThreadGroup[] = [pinned, ...ofFolders.values(), ...days, archived];
  const found = new Map<ThreadGroup, Thread[]>(groups.map((group) => [group, []]));
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const dayOf = ({ updatedAt }: Thread) =>
    days[updatedAt >= midnight ? 0 : updatedAt >= dayBefore(midnight) ? 1 : 2] ?? archived;
  const groupOf = (thread: Thread): ThreadGroup => {
    if (thread.archivedAt !== undefined) return archived;
    if (thread.pinnedAt !== undefined) return pinned;
    return ofFolders.get(thread.folderId ?? '') ?? dayOf(thread);
  };
  for (const thread of threads) found.get(groupOf(thread))?.push(thread);
  return [...found].flatMap(([group, inside]) =>
    inside.length > 0 || showsEmpty.includes(group.type) ? [{ ...group, threads: inside }] : [],
  );
}

/** The midnight before; a day may have 23 or 25 hours. */
function dayBefore(midnight: number): number {
  const day = new Date(midnight);
  return day.setDate(day.getDate() - 1);
}

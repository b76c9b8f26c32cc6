import type { Thread } from '#lib/threads/thread.ts';
import type { ThreadFolder } from '#studio/thread-folders.ts';

/** A group of the list of threads, under its own heading. */
export interface ThreadGroup {
  /** Unique among the groups. */
  key: string;
  type: 'pinned' | 'folder' | 'today' | 'yesterday' | 'earlier' | 'archived';
  /** The folder; present if the group's type is `folder`. */
  folder?: ThreadFolder;
  /** The threads of the group, in the order in which `groupThreads` got them. */
  threads: readonly Thread[];
}

/** A thread that is in the document. `place`: present if only a part of the list is in the document. */
export interface ShownThread {
  thread: Thread;
  place?: {
    /** The distance from the top of the list, in CSS pixels. */
    top: number;
    /** The thread's number in its group, counted from 1. */
    position: number;
    /** The number of threads in the group. */
    size: number;
  };
}

/** The part of a group that is in the document. */
export interface ShownGroup {
  group: ThreadGroup;
  /** Undefined if the heading is not in the document. `top`: as in `ShownThread`. */
  heading: { top?: number } | undefined;
  threads: readonly ShownThread[];
}

interface GroupOptions {
  /** The current time, in milliseconds since the epoch. */
  now: number;
  /** The types of groups that are returned even if they are empty. */
  showsEmpty: readonly ThreadGroup['type'][];
}

/**
 * Divides threads into groups, in the order of the list: pinned threads, folders, the days on which the others were last
 * changed, and the archive. An archived thread is only in the archive, and a pinned one not in its folder. `showsEmpty`: the
 * types of the groups that are returned even without threads.
 */
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

/** The midnight before another one, in milliseconds since the epoch. The day between may have 23 or 25 hours. */
function dayBefore(midnight: number): number {
  const day = new Date(midnight);
  return day.setDate(day.getDate() - 1);
}

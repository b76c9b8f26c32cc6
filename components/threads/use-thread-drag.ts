import { type DragEvent, useCallback, useRef, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import type { Arrangement } from '#studio/arrange-threads.ts';
import type { ThreadGroup } from './group-threads.ts';
import { useListActions } from './list-actions.ts';

/** The media type of dragged threads, so that no other part of the page takes them. */
const TYPE = 'application/x-roundtrip-threads';

/** Event handlers for an element on which threads can be dropped. */
interface DropTarget {
  onDragOver(event: DragEvent): void;
  onDragLeave(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

interface ThreadDrag {
  isDragging: boolean;
  /** The key of the group under the pointer while threads are dragged; undefined if there is none. */
  over: string | undefined;
  onDragStart(event: DragEvent, id: string): void;
  onDragEnd(): void;
  targetOf(group: ThreadGroup): DropTarget;
}

/**
 * Returns the event handlers with which the user drags threads to groups of the list, and the state of the drag. Dragging a
 * thread of the `selection` drags all selected ones.
 */
export function useThreadDrag(selection: ReadonlySet<string>): ThreadDrag {
  const { store, threads } = useStudio();
  const { noteArchived } = useListActions();
  const dragged = useRef<readonly string[]>([]);
  const [isDragging, setDragging] = useState(false);
  const [over, setOver] = useState<string>();
  const onDragStart = useCallback(
    (event: DragEvent, id: string) => {
      dragged.current = selection.has(id) ? [...selection] : [id];
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData(TYPE, '');
      // In the next frame, because showing empty groups to drop on would disturb the beginning of the drag.
      requestAnimationFrame(() => setDragging(dragged.current.length > 0));
    },
    [selection],
  );
  const onDragEnd = useCallback(() => {
    dragged.current = [];
    setDragging(false);
    setOver(undefined);
  }, []);
  const targetOf = (group: ThreadGroup): DropTarget => ({
    onDragOver(event) {
      if (dragged.current.length === 0) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      if (over !== group.key) setOver(group.key);
    },
    onDragLeave({ currentTarget, relatedTarget }) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(undefined);
    },
    onDrop(event) {
      const ids = dragged.current;
      if (ids.length === 0) return;
      event.preventDefault();
      // An entry that has moved to another group may get no `dragend`.
      onDragEnd();
      const arrangement = arrangementOf(group);
      const before = threads.state.getState().threads.filter(({ id }) => ids.includes(id));
      void import('#studio/arrange-threads.ts').then(async ({ arrangeThreads }) => {
        await arrangeThreads(store, ids, arrangement);
        if (arrangement === 'archive') noteArchived(before);
      });
    },
  });
  return { isDragging, over, onDragStart, onDragEnd, targetOf };
}

function arrangementOf({ type, folder }: ThreadGroup): Arrangement {
  if (folder !== undefined) return { folderId: folder.id };
  if (type === 'pinned') return 'pin';
  return type === 'archived' ? 'archive' : 'release';
}

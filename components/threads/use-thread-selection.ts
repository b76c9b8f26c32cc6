import { type RefObject, useCallback, useMemo, useState } from 'react';
import { useThreads } from '#components/hooks/studio-provider.tsx';

interface Selection {
  ids: ReadonlySet<string>;
  /** The id of the thread that was selected last, at which a range begins; undefined if there is none. */
  anchor: string | undefined;
}

const NOTHING: Selection = { ids: new Set(), anchor: undefined };

interface ThreadSelection {
  /** The ids of the selected threads that still exist. */
  selected: ReadonlySet<string>;
  toggle(id: string): void;
  selectTo(id: string): void;
  clear(): void;
}

/**
 * Returns which threads are selected, and functions that change that. `visible`: the ids of the listed threads, in their
 * order, for ranges.
 */
export function useThreadSelection(visible: RefObject<readonly string[]>): ThreadSelection {
  const [{ ids }, setSelection] = useState(NOTHING);
  const threads = useThreads((state) => state.threads);
  const selected = useMemo(
    () => (ids.size === 0 ? ids : new Set(threads.flatMap(({ id }) => (ids.has(id) ? [id] : [])))),
    [ids, threads],
  );
  const toggle = useCallback((id: string) => setSelection((before) => toggled(before, id)), []);
  const selectTo = useCallback(
    (id: string) => setSelection((before) => withRange(before, id, visible.current)),
    [visible],
  );
  const clear = useCallback(() => setSelection(NOTHING), []);
  return { selected, toggle, selectTo, clear };
}

function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

function withRange({ ids, anchor }: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)];
  const range = from === -1 || to === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...ids, ...range]), anchor: anchor ?? id };
}

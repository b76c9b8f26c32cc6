import { isTemporary } from '#lib/threads/temporary.ts';
import { THREAD_PARAMETER } from '../studio.ts';
import type { Threads } from '../threads.ts';

/**
 * The URL of a thread or, with null, of a new thread. A temporary thread has the URL of a new one, as nothing leads to it once
 * its page is closed.
 */
export const threadUrl = (id: string | null): string =>
  id === null || isTemporary(id) ? '/' : `/?${new URLSearchParams({ [THREAD_PARAMETER]: id })}`;

const currentId = (): string | null => new URLSearchParams(location.search).get(THREAD_PARAMETER);

/**
 * Keeps the URL and the open thread in sync until the returned function is called: opening a thread changes the URL, and going
 * back or forward in the browser's history opens a thread.
 */
export function connectAddress(threads: Threads): () => void {
  const unsubscribe = threads.state.subscribe(({ selectedId }, before) => {
    if (selectedId !== before.selectedId && threadUrl(selectedId) !== threadUrl(currentId()))
      history.pushState(null, '', threadUrl(selectedId));
  });
  const onPopState = () => void threads.select(currentId());
  addEventListener('popstate', onPopState);
  return () => {
    unsubscribe();
    removeEventListener('popstate', onPopState);
  };
}

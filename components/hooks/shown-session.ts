import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

/** Minimum time between two updates of the views, in milliseconds. Faster updates would look no smoother. */
const SHOW_EVERY_MS = 32;

/** A session as views see it: they share one snapshot, which is updated for all at once, at most every `SHOW_EVERY_MS`. */
interface ShownSession {
  getSnapshot(): ThreadSnapshot;
  subscribe(listener: () => void): () => void;
}

const shownSessions = new WeakMap<ThreadSession, ShownSession>();

/**
 * Returns the one store through which all views read the session of an opened thread. While it has subscribers, its snapshot
 * is updated at most every `SHOW_EVERY_MS` milliseconds; without any, it is always the latest one.
 */
export function shownSession(session: ThreadSession): ShownSession {
  const shown = shownSessions.get(session) ?? createShownSession(session);
  shownSessions.set(session, shown);
  return shown;
}

function createShownSession(session: ThreadSession): ShownSession {
  const listeners = new Set<() => void>();
  let snapshot = session.getSnapshot();
  let shownAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let unsubscribe = () => {};

  const show = () => {
    frame = 0;
    shownAt = performance.now();
    snapshot = session.getSnapshot();
    for (const listener of [...listeners]) listener();
  };
  const onChange = () => {
    if (timer !== undefined || frame !== 0) return;
    // A hidden page gets no animation frames, so it renders nothing.
    timer = setTimeout(
      () => {
        timer = undefined;
        frame = requestAnimationFrame(show);
      },
      shownAt + SHOW_EVERY_MS - performance.now(),
    );
  };
  return {
    getSnapshot: () => {
      if (listeners.size === 0) snapshot = session.getSnapshot();
      return snapshot;
    },
    subscribe(listener) {
      if (listeners.size === 0) {
        snapshot = session.getSnapshot();
        unsubscribe = session.subscribe(onChange);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        unsubscribe();
        clearTimeout(timer);
        cancelAnimationFrame(frame);
        timer = undefined;
        frame = 0;
      };
    },
  };
}

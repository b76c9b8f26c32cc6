import type { ThreadSnapshot } from '#lib/threads/thread-record.ts';
import type { ThreadSession } from '#lib/threads/thread-session.ts';

/** Time between two looks at a session, in milliseconds: text that grows faster than this looks no smoother. */
const SHOW_EVERY_MS = 32;

/** A session as the views see it: all of them the same snapshot, renewed together and no oftener than people see. */
export interface ShownSession {
  getSnapshot(): ThreadSnapshot;
  subscribe(listener: () => void): () => void;
}

const shownSessions = new WeakMap<ThreadSession, ShownSession>();

/** The one such view of a session. It costs nothing while nobody has subscribed. */
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
    // A page that is not seen gets no frames, and so renders nothing.
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

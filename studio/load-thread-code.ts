import { NotLoadedError } from './problem-of.ts';

/**
 * Loads the code that makes and opens threads, and resolves with it: `ThreadSession`, `emptyThread`, and `withFirstMessage`. It
 * is not part of the initial bundle. Rejects with `NotLoadedError`.
 */
export const loadThreadCode = () =>
  Promise.all([
    import('#lib/threads/thread-session.ts'),
    import('#lib/threads/new-thread.ts'),
    // A message needs it, too, even if the connection is gone by then.
    import('./create-transport.ts'),
  ]).then(
    ([{ ThreadSession }, { emptyThread, withFirstMessage }]) => ({ ThreadSession, emptyThread, withFirstMessage }),
    (cause: unknown): never => {
      throw new NotLoadedError('The studio’s code could not be loaded.', { cause });
    },
  );

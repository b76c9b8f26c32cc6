import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useStudio, useWorkspace } from '#components/hooks/studio-provider.tsx';
import type { ThreadSession } from '#lib/threads/thread-session.ts';
import type { OpenedWorkspace } from '#studio/opened-workspace.ts';
import { CallReview, type ReviewState } from '#studio/reviews.ts';

/** The reviews of calls, by session and call id. The call's card and the editor share one. */
const reviews = new WeakMap<ThreadSession, Map<string, { review: CallReview; workspace: OpenedWorkspace }>>();

/**
 * Returns the `CallReview` of a call that waits for the user, which is the user's review of what the call would write to
 * files, and the state of that review. The review is undefined until the workspace is open.
 */
export function useCallReview(
  session: ThreadSession,
  toolCallId: string,
): { review: CallReview | undefined; state: ReviewState } {
  const { store } = useStudio();
  const workspace = useWorkspace();
  const review = useMemo(() => {
    if (workspace === undefined) return undefined;
    const own = reviews.get(session) ?? new Map();
    reviews.set(session, own);
    const known = own.get(toolCallId);
    if (known?.workspace === workspace && !known.review.isClosed) return known.review;
    known?.review.close();
    const made = new CallReview({ session, toolCallId, store, fileSystem: workspace.fileSystem });
    own.set(toolCallId, { review: made, workspace });
    return made;
  }, [session, toolCallId, store, workspace]);
  const state: ReviewState = useStore<StoreApi<ReviewState>>(review?.state ?? NOTHING);
  return { review, state };
}

const INITIAL: ReviewState = {
  files: undefined,
  uncompared: [],
  isStale: false,
  problem: undefined,
  rebased: undefined,
  note: '',
};

/** Stands in for a review's state until the workspace is open. */
const NOTHING = createStore<ReviewState>(() => INITIAL);

import { useEffect, useState } from 'react';
import { useStudio } from '#components/hooks/studio-provider.tsx';
import { draftSetting } from '#studio/review-drafts.ts';

/**
 * Checks whether the person has begun to review a call's changes, so that a draft of the review is stored; false until that
 * is known.
 */
export function useHasDraft(toolCallId: string): boolean {
  const { store } = useStudio();
  const [hasDraft, setHasDraft] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      store.setting(draftSetting(toolCallId)).then(
        (draft) => {
          if (isCurrent) setHasDraft(draft !== undefined);
        },
        // The next change of the settings reads it again.
        () => undefined,
      );
    void read();
    const unsubscribe = store.subscribe((change) => {
      if (change.type === 'settings') void read();
    });
    return () => {
      isCurrent = false;
      unsubscribe();
    };
  }, [store, toolCallId]);
  return hasDraft;
}

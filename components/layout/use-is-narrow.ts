'use client';

import { useSyncExternalStore } from 'react';

/** Below this width the panes do not fit side by side. */
const NARROW = '(max-width: 899px)';

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(NARROW).matches,
    () => false,
  );
}

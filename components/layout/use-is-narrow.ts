'use client';

import { useSyncExternalStore } from 'react';

/** Below this the panes no longer fit beside each other. */
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
